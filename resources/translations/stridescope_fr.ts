<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="fr">
<context>
    <name>Lessons</name>
    <message>
        <source>a number</source>
        <translation>un nombre</translation>
    </message>
    <message>
        <source>numbers such as (2, 3)</source>
        <translation>des nombres comme (2, 3)</translation>
    </message>
    <message>
        <source>yes or no</source>
        <translation>oui ou non</translation>
    </message>
    <message>
        <source>a word</source>
        <translation>un mot</translation>
    </message>
    <message>
        <source>That has %1 numbers; the answer has %2.</source>
        <translation>Cela fait %1 nombres&#xa0;; la réponse en a %2.</translation>
    </message>
    <message>
        <source>Not that.</source>
        <translation>Pas cela.</translation>
    </message>
    <message>
        <source>Its size is %1, wanted is %2.</source>
        <translation>Sa taille est %1, il faut %2.</translation>
    </message>
    <message>
        <source>The size is right. The dtype is %1, wanted is %2.</source>
        <translation>La taille est juste. Le dtype est %1, il faut %2.</translation>
    </message>
    <message>
        <source>The size is right, the elements are not.</source>
        <translation>La taille est juste, les éléments non.</translation>
    </message>
    <message>
        <source>There is no %1 any more: run the code again.</source>
        <translation>Il n&apos;y a plus de %1&#xa0;: exécutez le code de nouveau.</translation>
    </message>
    <message>
        <source>The size is right, but it has a storage of its own: wanted is a view of %1.</source>
        <translation>La taille est juste, mais il a un stockage à lui&#xa0;: il faut une vue de %1.</translation>
    </message>
    <message>
        <source>The size is right. The offset is %1, wanted is %2.</source>
        <translation>La taille est juste. L&apos;offset est %1, il faut %2.</translation>
    </message>
    <message>
        <source>Size and offset are right. The stride is %1, wanted is %2.</source>
        <translation>Taille et offset sont justes. Le stride est %1, il faut %2.</translation>
    </message>
    <message>
        <source>That has 1 number; the answer has %2.</source>
        <translation>Cela fait 1 nombre&#xa0;; la réponse en a %2.</translation>
    </message>
    <message>
        <source>works</source>
        <translation>fonctionne</translation>
    </message>
    <message>
        <source>refused</source>
        <translation>refusé</translation>
    </message>
    <message>
        <source>view</source>
        <translation>vue</translation>
    </message>
    <message>
        <source>copy</source>
        <translation>copie</translation>
    </message>
    <message>
        <source>Not that: it is more.</source>
        <translation>Non&#xa0;: c&apos;est plus.</translation>
    </message>
    <message>
        <source>Not that: it is less.</source>
        <translation>Non&#xa0;: c&apos;est moins.</translation>
    </message>
    <message>
        <source>None of its numbers is right.</source>
        <translation>Aucun de ses nombres n&apos;est juste.</translation>
    </message>
    <message>
        <source>Right in it: %1 of %2 numbers.</source>
        <translation>Justes&#xa0;: %1 nombres sur %2.</translation>
    </message>
</context>
<context>
    <name>PaintedText</name>
    <message>
        <source>column %1</source>
        <translation>colonne %1</translation>
    </message>
    <message>
        <source>row %1</source>
        <translation>ligne %1</translation>
    </message>
    <message>
        <source>size </source>
        <translation>size </translation>
    </message>
    <message>
        <source>stride </source>
        <translation>stride </translation>
    </message>
    <message>
        <source>offset </source>
        <translation>offset </translation>
    </message>
    <message>
        <source>dim %1 · %2</source>
        <translation>dim %1 · %2</translation>
    </message>
    <message>
        <source>slice [</source>
        <translation>tranche [</translation>
    </message>
    <message>
        <source>view of %1</source>
        <translation>vue de %1</translation>
    </message>
    <message>
        <source>it</source>
        <translation>ceci</translation>
    </message>
    <message>
        <source>storage #%1</source>
        <translation>stockage #%1</translation>
    </message>
    <message>
        <source>temporary</source>
        <translation>temporaire</translation>
    </message>
    <message>
        <source>stride 0 in dim %1: </source>
        <translation>stride 0 en dim %1&#xa0;: </translation>
    </message>
    <message>
        <source>stride 0 in dims %1: </source>
        <translation>stride 0 en dims %1&#xa0;: </translation>
    </message>
    <message>
        <source>one stored cell</source>
        <translation>une seule case stockée</translation>
    </message>
    <message>
        <source>counts as %1</source>
        <translation>compte pour %1</translation>
    </message>
    <message>
        <source>in place</source>
        <translation>en place</translation>
    </message>
    <message>
        <source>new storage</source>
        <translation>nouveau stockage</translation>
    </message>
    <message>
        <source>the sizes come out of stage 3</source>
        <translation>les tailles viennent de l&apos;étape 3</translation>
    </message>
    <message>
        <source>%1 of %2 computed</source>
        <translation>%1 sur %2 calculés</translation>
    </message>
    <message>
        <source>Click a cell for its sources and arithmetic.</source>
        <translation>Cliquez une case pour voir ses sources et le calcul.</translation>
    </message>
    <message>
        <source> comes now</source>
        <translation> arrive ici</translation>
    </message>
    <message>
        <source>too large to be computed here</source>
        <translation>trop grand pour être calculé ici</translation>
    </message>
    <message>
        <source>%1, index %2</source>
        <translation>%1, indice %2</translation>
    </message>
    <message>
        <source>%1 and %2 → %3</source>
        <translation>%1 et %2 → %3</translation>
    </message>
    <message>
        <source>dim %1</source>
        <translation>dim %1</translation>
    </message>
    <message>
        <source>Works: %1</source>
        <translation>Possible&#xa0;: %1</translation>
    </message>
    <message>
        <source>When it fails</source>
        <translation>Quand cela échoue</translation>
    </message>
    <message>
        <source>Along dim %1:</source>
        <translation>Le long de la dim %1&#xa0;:</translation>
    </message>
    <message>
        <source>1: would stretch</source>
        <translation>1&#xa0;: serait étirée</translation>
    </message>
    <message>
        <source>the first %1 of %2</source>
        <translation>les %1 premiers sur %2</translation>
    </message>
    <message>
        <source>Nothing mends this line: %1 keeps its shape %2, and no view of the other side fits it.</source>
        <translation>Rien ne répare cette ligne&#xa0;: %1 garde sa shape %2, et aucune vue de l&apos;autre côté ne convient.</translation>
    </message>
    <message>
        <source>Nothing mends this line: no view of one side fits the other one.</source>
        <translation>Rien ne répare cette ligne&#xa0;: aucune vue d&apos;un côté ne convient à l&apos;autre.</translation>
    </message>
    <message>
        <source>The verdict comes with stage 3.</source>
        <translation>Le verdict vient à l&apos;étape 3.</translation>
    </message>
    <message>
        <source>The output would grow</source>
        <translation>Le résultat grandirait</translation>
    </message>
    <message>
        <source>The sizes do not fit</source>
        <translation>Les tailles ne conviennent pas</translation>
    </message>
    <message>
        <source>An in-place operation writes into the storage of %1. It may stretch the other side, never itself.</source>
        <translation>Une opération en place écrit dans le stockage de %1. Elle peut étirer l&apos;autre côté, jamais celui-ci.</translation>
    </message>
    <message>
        <source>Works instead:</source>
        <translation>Possible à la place&#xa0;:</translation>
    </message>
    <message>
        <source>a float</source>
        <translation>un float</translation>
    </message>
    <message>
        <source>an int</source>
        <translation>un int</translation>
    </message>
    <message>
        <source> and </source>
        <translation> et </translation>
    </message>
    <message>
        <source>operand %1</source>
        <translation>opérande %1</translation>
    </message>
    <message>
        <source>dim %1: %2</source>
        <translation>dim %1&#xa0;: %2</translation>
    </message>
    <message>
        <source> differ and none is 1</source>
        <translation> diffèrent et aucune n&apos;est 1</translation>
    </message>
    <message>
        <source>, so %1 %2 repeated</source>
        <translation>, donc %1 %2 répété</translation>
    </message>
    <message>
        <source>is</source>
        <translation>est</translation>
    </message>
    <message>
        <source>are</source>
        <translation>sont</translation>
    </message>
    <message>
        <source>Refused: the result would be larger than %1, which is written to.</source>
        <translation>Refusé&#xa0;: le résultat serait plus grand que %1, dans lequel on écrit.</translation>
    </message>
    <message>
        <source>Refused: </source>
        <translation>Refusé&#xa0;: </translation>
    </message>
    <message>
        <source>It is (): no side has a dim.</source>
        <translation>C&apos;est ()&#xa0;: aucun côté n&apos;a de dim.</translation>
    </message>
    <message>
        <source>It is %1: %2.</source>
        <translation>C&apos;est %1&#xa0;: %2.</translation>
    </message>
    <message>
        <source>What shape has %1?</source>
        <translation>Quelle est la shape de %1&#xa0;?</translation>
    </message>
    <message>
        <source>Which element of %1 is read for %2?</source>
        <translation>Quel élément de %1 est lu pour %2&#xa0;?</translation>
    </message>
    <message>
        <source>It is %1: stride 0 in %2 %3, so the index there moves nothing.</source>
        <translation>C&apos;est %1&#xa0;: stride 0 en %2 %3, l&apos;indice n&apos;y déplace donc rien.</translation>
    </message>
    <message>
        <source>dim</source>
        <translation>dim</translation>
    </message>
    <message>
        <source>dims</source>
        <translation>dims</translation>
    </message>
    <message>
        <source>Preview: </source>
        <translation>Aperçu&#xa0;: </translation>
    </message>
    <message>
        <source>%1 → %2: stage %3 of 4</source>
        <translation>%1 → %2&#xa0;: étape %3 sur 4</translation>
    </message>
    <message>
        <source>temporary storage</source>
        <translation>stockage temporaire</translation>
    </message>
    <message>
        <source>the strip is as it was: 0 B copied</source>
        <translation>la bande est restée la même&#xa0;: 0 B copié</translation>
    </message>
    <message>
        <source>%1 cells, 1 stored</source>
        <translation>%1 cases, 1 stockée</translation>
    </message>
    <message>
        <source>Written into the storage of %1: no new memory</source>
        <translation>Écrit dans le stockage de %1&#xa0;: aucune mémoire nouvelle</translation>
    </message>
    <message>
        <source>New memory: results, also in between</source>
        <translation>Mémoire nouvelle&#xa0;: les résultats, aussi intermédiaires</translation>
    </message>
    <message>
        <source>results in between</source>
        <translation>résultats intermédiaires</translation>
    </message>
    <message>
        <source>Written into the storage of %1; results in between took %2.</source>
        <translation>Écrit dans le stockage de %1&#xa0;; les résultats intermédiaires ont pris %2.</translation>
    </message>
    <message>
        <source>New memory: %1 for the result, %2 for results in between.</source>
        <translation>Mémoire nouvelle&#xa0;: %1 pour le résultat, %2 pour les résultats intermédiaires.</translation>
    </message>
    <message>
        <source>Too large to be computed here: %1 elements, %2.</source>
        <translation>Trop grand pour être calculé ici&#xa0;: %1 éléments, %2.</translation>
    </message>
    <message>
        <source>: %1 would grow</source>
        <translation>&#xa0;: %1 grandirait</translation>
    </message>
    <message>
        <source>Only the result gets new memory</source>
        <translation>Seul le résultat prend de la mémoire nouvelle</translation>
    </message>
    <message>
        <source>equal, or</source>
        <translation>égales, ou</translation>
    </message>
    <message>
        <source>one is 1</source>
        <translation>l&apos;une vaut 1</translation>
    </message>
    <message>
        <source>What stretching changes</source>
        <translation>Ce que change l&apos;étirement</translation>
    </message>
    <message>
        <source>Stride 0: the index moves, the cell does not.</source>
        <translation>Stride 0&#xa0;: l&apos;indice avance, la case non.</translation>
    </message>
    <message>
        <source>Dtype: %1.</source>
        <translation>Dtype&#xa0;: %1.</translation>
    </message>
    <message>
        <source>Alignment</source>
        <translation>Alignement</translation>
    </message>
    <message>
        <source>the last %1 of %2 dims</source>
        <translation>les %1 dernières dims sur %2</translation>
    </message>
    <message>
        <source>Bytes</source>
        <translation>Octets</translation>
    </message>
    <message>
        <source>stored</source>
        <translation>stockés</translation>
    </message>
    <message>
        <source>as if stretched by copying</source>
        <translation>comme étirés par copie</translation>
    </message>
    <message>
        <source>copied by stretching</source>
        <translation>copiés pour étirer</translation>
    </message>
    <message>
        <source>new storage: written into %1</source>
        <translation>nouveau stockage&#xa0;: écrit dans %1</translation>
    </message>
    <message>
        <source>new storage for %1</source>
        <translation>nouveau stockage pour %1</translation>
    </message>
    <message>
        <source>Larger than every input: %1 → %2, %3</source>
        <translation>Plus grand que chaque entrée&#xa0;: %1 → %2, %3</translation>
    </message>
    <message>
        <source>%1 → %2: %3 elements (%4) from %5. Legal, but a common silent bug if you meant one value per row.</source>
        <translation>%1 → %2&#xa0;: %3 éléments (%4) à partir de %5. Permis, mais c&apos;est souvent une erreur muette si l&apos;on voulait une valeur par ligne.</translation>
    </message>
    <message>
        <source>Larger than every input</source>
        <translation>Plus grand que chaque entrée</translation>
    </message>
    <message>
        <source>Where do the shapes line up?</source>
        <translation>Où les shapes s&apos;alignent-elles&#xa0;?</translation>
    </message>
    <message>
        <source>The last dims stand one under the other: broadcasting counts from the right.</source>
        <translation>Les dernières dims sont l&apos;une sous l&apos;autre&#xa0;: la diffusion compte à partir de la droite.</translation>
    </message>
    <message>
        <source>Who has fewer dims than the others?</source>
        <translation>Qui a moins de dims que les autres&#xa0;?</translation>
    </message>
    <message>
        <source>Which columns fit, and which 1s must stretch?</source>
        <translation>Quelles colonnes conviennent, et quels 1 doivent s&apos;étirer&#xa0;?</translation>
    </message>
    <message>
        <source>All sizes are equal: nothing stretches.</source>
        <translation>Toutes les tailles sont égales&#xa0;: rien ne s&apos;étire.</translation>
    </message>
    <message>
        <source>Which stored cells meet in each element of the result?</source>
        <translation>Quelles cases stockées se rencontrent dans chaque élément du résultat&#xa0;?</translation>
    </message>
    <message>
        <source>: they do not fit</source>
        <translation> : elles ne conviennent pas</translation>
    </message>
    <message>
        <source> fit</source>
        <translation> conviennent</translation>
    </message>
    <message>
        <source>, the result has %1</source>
        <translation>, le résultat a %1</translation>
    </message>
    <message>
        <source>, repeated: %1</source>
        <translation>, répété&#xa0;: %1</translation>
    </message>
    <message>
        <source>%1, size %2, %3 of %4 computed</source>
        <translation>%1, size %2, %3 calculés sur %4</translation>
    </message>
    <message>
        <source>%1, the result</source>
        <translation>%1, le résultat</translation>
    </message>
    <message>
        <source>%1, size %2, %3, %4</source>
        <translation>%1, size %2, %3, %4</translation>
    </message>
    <message>
        <source>, stretched to %1 with stride %2</source>
        <translation>, étiré en %1 avec stride %2</translation>
    </message>
    <message>
        <source>Stage %1 of 4. </source>
        <translation>Étape %1 sur 4. </translation>
    </message>
    <message>
        <source>%1 has %2</source>
        <translation>%1 a %2</translation>
    </message>
    <message>
        <source>, counts as %1</source>
        <translation>, compte pour %1</translation>
    </message>
    <message>
        <source>%1 stored, 0 B copied by stretching, %2 new</source>
        <translation>%1 stockés, 0 B copié pour étirer, %2 nouveaux</translation>
    </message>
    <message>
        <source>Larger than every input: %1 → %2</source>
        <translation>Plus grand que chaque entrée&#xa0;: %1 → %2</translation>
    </message>
    <message>
        <source>not computed yet</source>
        <translation>pas encore calculé</translation>
    </message>
    <message>
        <source>%1, value %2, %3 index %4</source>
        <translation>%1, valeur %2, %3 indice %4</translation>
    </message>
    <message>
        <source>dim %1%2 · %3</source>
        <translation>dim %1%2 · %3</translation>
    </message>
    <message>
        <source>… %1 at %2 of 0–%3</source>
        <translation>… %1 à %2 de 0–%3</translation>
    </message>
    <message>
        <source>… %1 %2–%3 of %4</source>
        <translation>… %1 %2–%3 sur %4</translation>
    </message>
    <message>
        <source>rows</source>
        <translation>lignes</translation>
    </message>
    <message>
        <source>cells</source>
        <translation>cases</translation>
    </message>
    <message>
        <source>columns</source>
        <translation>colonnes</translation>
    </message>
    <message>
        <source>%1: the %2 channel of %3</source>
        <translation>%1&#xa0;: le canal %2 de %3</translation>
    </message>
    <message>
        <source> %1 dims</source>
        <translation> %1 dims</translation>
    </message>
    <message>
        <source>contiguous</source>
        <translation>contigu</translation>
    </message>
    <message>
        <source>not contiguous</source>
        <translation>non contigu</translation>
    </message>
    <message>
        <source>storage #</source>
        <translation>stockage #</translation>
    </message>
    <message>
        <source>grids</source>
        <translation>grilles</translation>
    </message>
    <message>
        <source>blocks: no room</source>
        <translation>blocs&#xa0;: pas de place</translation>
    </message>
    <message>
        <source>blocks</source>
        <translation>blocs</translation>
    </message>
    <message>
        <source>colours</source>
        <translation>couleurs</translation>
    </message>
    <message>
        <source>Cells marked ×n share one storage cell with others: a write to one changes all n.</source>
        <translation>Les cases marquées ×n partagent une case de stockage avec d&apos;autres&#xa0;: écrire dans l&apos;une les change toutes.</translation>
    </message>
    <message>
        <source>stride 0: the same cell</source>
        <translation>stride 0&#xa0;: la même case</translation>
    </message>
    <message>
        <source>stride 0: the same %1 cells</source>
        <translation>stride 0&#xa0;: les mêmes %1 cases</translation>
    </message>
    <message>
        <source>stride 0: the same cell seen %1 times.</source>
        <translation>stride 0&#xa0;: la même case vue %1 fois.</translation>
    </message>
    <message>
        <source>stride 0: the same %1 cells seen %2 times.</source>
        <translation>stride 0&#xa0;: les mêmes %1 cases vues %2 fois.</translation>
    </message>
    <message>
        <source>Stride %1: dim %2 walks backwards through the storage.</source>
        <translation>Stride %1&#xa0;: la dim %2 parcourt le stockage à reculons.</translation>
    </message>
    <message>
        <source>Same %1 storage cells as %2: sizes and strides swapped.</source>
        <translation>Les mêmes %1 cases de stockage que %2&#xa0;: tailles et strides échangés.</translation>
    </message>
    <message>
        <source>Same %1 storage cells as %2: sizes and strides in another order.</source>
        <translation>Les mêmes %1 cases de stockage que %2&#xa0;: tailles et strides dans un autre ordre.</translation>
    </message>
    <message>
        <source>Rows start %1 apart: going down one row jumps over %2 %3.</source>
        <translation>Les lignes sont à %1 l&apos;une de l&apos;autre&#xa0;: descendre d&apos;une ligne saute %2 %3.</translation>
    </message>
    <message>
        <source>cell</source>
        <translation>case</translation>
    </message>
    <message>
        <source>Every step jumps over %1 %2.</source>
        <translation>Chaque pas saute %1 %2.</translation>
    </message>
    <message>
        <source>slice [%1]</source>
        <translation>tranche [%1]</translation>
    </message>
    <message>
        <source>shown: slice [%1]</source>
        <translation>montré&#xa0;: tranche [%1]</translation>
    </message>
    <message>
        <source>, one of %1</source>
        <translation>, une des %1</translation>
    </message>
    <message>
        <source>cell in slice %1, which is not shown</source>
        <translation>case de la tranche %1, qui n&apos;est pas montrée</translation>
    </message>
    <message>
        <source>red</source>
        <translation>rouge</translation>
    </message>
    <message>
        <source>green</source>
        <translation>vert</translation>
    </message>
    <message>
        <source>blue</source>
        <translation>bleu</translation>
    </message>
    <message>
        <source>alpha</source>
        <translation>alpha</translation>
    </message>
    <message>
        <source>dim %1 · %2:</source>
        <translation>dim %1 · %2&#xa0;:</translation>
    </message>
    <message>
        <source> red, green, blue%1</source>
        <translation> rouge, vert, bleu%1</translation>
    </message>
    <message>
        <source>, alpha (not shown)</source>
        <translation>, alpha (non montré)</translation>
    </message>
    <message>
        <source> (not shown)</source>
        <translation> (non montré)</translation>
    </message>
    <message>
        <source>size %1 · stride %2 · offset %3</source>
        <translation>size %1 · stride %2 · offset %3</translation>
    </message>
    <message>
        <source>dim 0 · 0000</source>
        <translation>dim 0 · 0000</translation>
    </message>
    <message>
        <source>stride 0:</source>
        <translation>stride 0&#xa0;:</translation>
    </message>
    <message>
        <source>the same cell</source>
        <translation>la même case</translation>
    </message>
    <message>
        <source>the same %1 cells</source>
        <translation>les mêmes %1 cases</translation>
    </message>
    <message>
        <source>seen %1 times</source>
        <translation>vues %1 fois</translation>
    </message>
    <message>
        <source>left out by narrow, still in the storage</source>
        <translation>laissées de côté par narrow, toujours dans le stockage</translation>
    </message>
    <message>
        <source>Tensors as blocks</source>
        <translation>Tenseurs en blocs</translation>
    </message>
    <message>
        <source>line %1</source>
        <translation>ligne %1</translation>
    </message>
    <message>
        <source>Contiguity walk of %1</source>
        <translation>Parcours de contiguïté de %1</translation>
    </message>
    <message>
        <source>0 elements: nothing is visited.</source>
        <translation>0 élément&#xa0;: rien n&apos;est visité.</translation>
    </message>
    <message>
        <source>%1%2 of %3</source>
        <translation>%1%2 sur %3</translation>
    </message>
    <message>
        <source>at most </source>
        <translation>au plus </translation>
    </message>
    <message>
        <source> visits of 1 cell</source>
        <translation> visites d&apos;une case</translation>
    </message>
    <message>
        <source> visits of %1 cells</source>
        <translation> visites de %1 cases</translation>
    </message>
    <message>
        <source>steps of </source>
        <translation>pas de </translation>
    </message>
    <message>
        <source>jumps </source>
        <translation>sauts </translation>
    </message>
    <message>
        <source>cache lines touched </source>
        <translation>lignes de cache touchées </translation>
    </message>
    <message>
        <source>   (model)</source>
        <translation>   (modèle)</translation>
    </message>
    <message>
        <source> is not possible. Nothing was changed.</source>
        <translation> n&apos;est pas possible. Rien n&apos;a été changé.</translation>
    </message>
    <message>
        <source>%1 elements, </source>
        <translation>%1 éléments, </translation>
    </message>
    <message>
        <source>, shared by </source>
        <translation>, partagé par </translation>
    </message>
    <message>
        <source> and %1 more</source>
        <translation> et %1 de plus</translation>
    </message>
    <message>
        <source>… cells %1 – %2 of %3</source>
        <translation>… cases %1 – %2 sur %3</translation>
    </message>
    <message>
        <source>Not offered: one tensor may take %1 now.</source>
        <translation>Non proposé&#xa0;: un tenseur peut prendre %1 pour l&apos;instant.</translation>
    </message>
    <message>
        <source>needs </source>
        <translation>demande </translation>
    </message>
    <message>
        <source>copies </source>
        <translation>copie </translation>
    </message>
    <message>
        <source>+0 B, a view</source>
        <translation>+0 B, une vue</translation>
    </message>
    <message>
        <source> way out</source>
        <translation> issue</translation>
    </message>
    <message>
        <source> ways out</source>
        <translation> issues</translation>
    </message>
    <message>
        <source>does not exist</source>
        <translation>n&apos;existe pas</translation>
    </message>
    <message>
        <source>or −%1</source>
        <translation>ou −%1</translation>
    </message>
    <message>
        <source>… %1 dims</source>
        <translation>… %1 dims</translation>
    </message>
    <message>
        <source>%1 is 0-d: one element, and no dim to walk along.</source>
        <translation>%1 est de dimension 0&#xa0;: un élément, et aucune dim à parcourir.</translation>
    </message>
    <message>
        <source>gives it a dim of size 1</source>
        <translation>lui donne une dim de taille 1</translation>
    </message>
    <message>
        <source>%1 has %2 %3, numbered 0 … %4 from the left or −%2 … −1 from the right.</source>
        <translation>%1 a %2 %3, numérotées 0 … %4 de gauche ou −%2 … −1 de droite.</translation>
    </message>
    <message>
        <source>the first dim</source>
        <translation>la première dim</translation>
    </message>
    <message>
        <source>the last dim</source>
        <translation>la dernière dim</translation>
    </message>
    <message>
        <source>not named</source>
        <translation>non nommée</translation>
    </message>
    <message>
        <source>named once</source>
        <translation>nommée une fois</translation>
    </message>
    <message>
        <source>named %1 times</source>
        <translation>nommée %1 fois</translation>
    </message>
    <message>
        <source>t() swaps the two dims of a matrix; %1 has %2, and which two is not said.</source>
        <translation>t() échange les deux dims d&apos;une matrice&#xa0;; %1 en a %2, et rien ne dit lesquelles.</translation>
    </message>
    <message>
        <source>swaps the last two: every matrix in it</source>
        <translation>échange les deux dernières&#xa0;: chaque matrice qu&apos;il contient</translation>
    </message>
    <message>
        <source>turns the order of all dims round</source>
        <translation>renverse l&apos;ordre de toutes les dims</translation>
    </message>
    <message>
        <source>Dim %1, which is also −%2, is named %3 times; an order names every dim once.</source>
        <translation>La dim %1, qui est aussi −%2, est nommée %3 fois&#xa0;; un ordre nomme chaque dim une fois.</translation>
    </message>
    <message>
        <source>An order names every dim once: %1 has %2, and %3 named.</source>
        <translation>Un ordre nomme chaque dim une fois&#xa0;: %1 en a %2, et %3 nommées.</translation>
    </message>
    <message>
        <source>1 is</source>
        <translation>1 est</translation>
    </message>
    <message>
        <source>%1 are</source>
        <translation>%1 sont</translation>
    </message>
    <message>
        <source>as named, the others behind</source>
        <translation>comme nommées, les autres derrière</translation>
    </message>
    <message>
        <source>Why %1 is not possible. %2</source>
        <translation>Pourquoi %1 n&apos;est pas possible. %2</translation>
    </message>
    <message>
        <source>%1 and %2 are the same storage cell, index %3: writing both at once has no single answer.</source>
        <translation>%1 et %2 sont la même case de stockage, indice %3&#xa0;: écrire dans les deux à la fois n&apos;a pas de réponse unique.</translation>
    </message>
    <message>
        <source>a copy with a cell for every element, +%1</source>
        <translation>une copie avec une case par élément, +%1</translation>
    </message>
    <message>
        <source>Going backwards needs a negative stride, and PyTorch has none: a reversed tensor is a copy.</source>
        <translation>Aller à reculons demande un stride négatif, et PyTorch n&apos;en a pas&#xa0;: un tenseur renversé est une copie.</translation>
    </message>
    <message>
        <source>… from %1</source>
        <translation>… à partir de %1</translation>
    </message>
    <message>
        <source>wanted: index %1</source>
        <translation>voulu&#xa0;: indice %1</translation>
    </message>
    <message>
        <source>wanted: indices %1–%2</source>
        <translation>voulu&#xa0;: indices %1–%2</translation>
    </message>
    <message>
        <source>Dim %1 has size 0: it has no index at all.</source>
        <translation>La dim %1 a la taille 0&#xa0;: elle n&apos;a aucun indice.</translation>
    </message>
    <message>
        <source>Dim %1 has the indices 0 … %2 (or −%3 … −1); %4 is not one of them.</source>
        <translation>La dim %1 a les indices 0 … %2 (ou −%3 … −1)&#xa0;; %4 n&apos;en est pas un.</translation>
    </message>
    <message>
        <source>the first index</source>
        <translation>le premier indice</translation>
    </message>
    <message>
        <source>the last index</source>
        <translation>le dernier indice</translation>
    </message>
    <message>
        <source>A length of %1 makes no part of a dim: lengths are 0 or more.</source>
        <translation>Une longueur de %1 ne fait pas une partie d&apos;une dim&#xa0;: les longueurs sont 0 ou plus.</translation>
    </message>
    <message>
        <source>From %1 on, %2 indices reach to %3; dim %4 ends at %5.</source>
        <translation>À partir de %1, %2 indices vont jusqu&apos;à %3&#xa0;; la dim %4 finit à %5.</translation>
    </message>
    <message>
        <source>what is left from %1 on</source>
        <translation>ce qui reste à partir de %1</translation>
    </message>
    <message>
        <source>the last %1</source>
        <translation>les %1 derniers</translation>
    </message>
    <message>
        <source>Dim %1 has the indices 0 … %2.</source>
        <translation>La dim %1 a les indices 0 … %2.</translation>
    </message>
    <message>
        <source>%1 is not possible here: windows and steps count elements of dim %2.</source>
        <translation>%1 n&apos;est pas possible ici&#xa0;: fenêtres et pas comptent les éléments de la dim %2.</translation>
    </message>
    <message>
        <source>A window of %1 does not fit: dim %2 has %3.</source>
        <translation>Une fenêtre de %1 est trop grande&#xa0;: la dim %2 en a %3.</translation>
    </message>
    <message>
        <source>one window over the whole dim</source>
        <translation>une fenêtre sur toute la dim</translation>
    </message>
    <message>
        <source>reaches slot %1, before the storage</source>
        <translation>atteint l&apos;emplacement %1, avant le stockage</translation>
    </message>
    <message>
        <source>needs %1, storage has %2</source>
        <translation>demande %1, le stockage a %2</translation>
    </message>
    <message>
        <source>the smallest offset that fits: %1</source>
        <translation>le plus petit offset possible&#xa0;: %1</translation>
    </message>
    <message>
        <source>the largest offset that fits: %1</source>
        <translation>le plus grand offset possible&#xa0;: %1</translation>
    </message>
    <message>
        <source>dim %1 with size %2</source>
        <translation>dim %1 de taille %2</translation>
    </message>
    <message>
        <source>dim %1 with stride %2</source>
        <translation>dim %1 de stride %2</translation>
    </message>
    <message>
        <source>offset %1, and the sizes that fit then</source>
        <translation>offset %1, et les tailles qui tiennent alors</translation>
    </message>
    <message>
        <source>the sizes that fit with these strides</source>
        <translation>les tailles qui tiennent avec ces strides</translation>
    </message>
    <message>
        <source>wanted</source>
        <translation>voulu</translation>
    </message>
    <message>
        <source>the other</source>
        <translation>l&apos;autre</translation>
    </message>
    <message>
        <source>At dim %1 the sizes are %2 and %3: they must be equal, or one of them 1.</source>
        <translation>En dim %1 les tailles sont %2 et %3&#xa0;: elles doivent être égales, ou l&apos;une d&apos;elles 1.</translation>
    </message>
    <message>
        <source>−1 keeps the size %1</source>
        <translation>−1 garde la taille %1</translation>
    </message>
    <message>
        <source> No view of %1 can be repeated into %2.</source>
        <translation> Aucune vue de %1 ne peut être répétée en %2.</translation>
    </message>
    <message>
        <source>none</source>
        <translation>aucune</translation>
    </message>
    <message>
        <source>Dim %1 cannot have size %2: a size counts elements, so it is 0 or more.</source>
        <translation>La dim %1 ne peut avoir la taille %2&#xa0;: une taille compte des éléments, elle est donc 0 ou plus.</translation>
    </message>
    <message>
        <source>the dim has %1</source>
        <translation>la dim a %1</translation>
    </message>
    <message>
        <source>wanted: %1</source>
        <translation>voulu&#xa0;: %1</translation>
    </message>
    <message>
        <source>The sizes that a dim is split into must multiply to its size, %1; these give %2.</source>
        <translation>Les tailles en lesquelles une dim est découpée ont pour produit sa taille, %1&#xa0;; celles-ci donnent %2.</translation>
    </message>
    <message>
        <source>The pieces must add up to the size of the dim, %1; these give %2.</source>
        <translation>Les morceaux doivent avoir pour somme la taille de la dim, %1&#xa0;; ceux-ci donnent %2.</translation>
    </message>
    <message>
        <source>A view keeps every element: the sizes must multiply to %1, and they give %2, %3 %4.</source>
        <translation>Une vue garde chaque élément&#xa0;: le produit des tailles doit être %1, et elles donnent %2, %3 %4.</translation>
    </message>
    <message>
        <source>too few</source>
        <translation>il manque</translation>
    </message>
    <message>
        <source>too many</source>
        <translation>c&apos;est trop de</translation>
    </message>
    <message>
        <source>a view with stride %1</source>
        <translation>une vue de stride %1</translation>
    </message>
    <message>
        <source>Can dims %1 and %2 of %3 merge?</source>
        <translation>Les dims %1 et %2 de %3 peuvent-elles fusionner&#xa0;?</translation>
    </message>
    <message>
        <source>stride%1 · size%1</source>
        <translation>stride%1 · size%1</translation>
    </message>
    <message>
        <source>They are two separate contiguous subspaces: that is what the error text means.</source>
        <translation>Ce sont deux sous-espaces contigus séparés («&#xa0;contiguous subspaces&#xa0;»)&#xa0;: c&apos;est ce que veut dire le texte de l&apos;erreur.</translation>
    </message>
    <message>
        <source>before the storage</source>
        <translation>avant le stockage</translation>
    </message>
    <message>
        <source>needs %1, has %2</source>
        <translation>demande %1, a %2</translation>
    </message>
    <message>
        <source>%1 again would read index %2</source>
        <translation>%1 encore lirait l&apos;indice %2</translation>
    </message>
    <message>
        <source>%1 would read index %2</source>
        <translation>%1 lirait l&apos;indice %2</translation>
    </message>
    <message>
        <source>: what %1 needs next</source>
        <translation> : ce qu&apos;il faut ensuite à %1</translation>
    </message>
    <message>
        <source> needed next</source>
        <translation> qu&apos;il faut ensuite</translation>
    </message>
    <message>
        <source>%1 copies so</source>
        <translation>%1 copie ainsi</translation>
    </message>
    <message>
        <source>%1 reads so</source>
        <translation>%1 lit ainsi</translation>
    </message>
    <message>
        <source> reads in order</source>
        <translation> lit dans l&apos;ordre</translation>
    </message>
    <message>
        <source> in order</source>
        <translation> dans l&apos;ordre</translation>
    </message>
    <message>
        <source>No single stride does both: %1 and then %2.</source>
        <translation>Aucun stride ne fait les deux&#xa0;: %1 puis %2.</translation>
    </message>
    <message>
        <source>needs a copy</source>
        <translation>demande une copie</translation>
    </message>
    <message>
        <source>Shapes with %1 elements, tested against the strides of %2, %3.</source>
        <translation>Des shapes de %1 éléments, essayées avec les strides de %2, %3.</translation>
    </message>
    <message>
        <source>read first</source>
        <translation>lu d&apos;abord</translation>
    </message>
    <message>
        <source>read before</source>
        <translation>lu avant</translation>
    </message>
    <message>
        <source>then here</source>
        <translation>puis ici</translation>
    </message>
    <message>
        <source>Wanted: </source>
        <translation>Voulu&#xa0;: </translation>
    </message>
    <message>
        <source>Wanted: size </source>
        <translation>Voulu&#xa0;: size </translation>
    </message>
    <message>
        <source>Wanted</source>
        <translation>Voulu</translation>
    </message>
    <message>
        <source>One row of %1 cells, in the order %2 is read. A 1-D view has one stride, so every step must be equal.</source>
        <translation>Une ligne de %1 cases, dans l&apos;ordre de lecture de %2. Une vue 1-D a un seul stride&#xa0;: tous les pas doivent être égaux.</translation>
    </message>
    <message>
        <source>Shape %1, filled in the order %2 is read. Each dim has one stride, so equal moves must be equal steps.</source>
        <translation>Shape %1, remplie dans l&apos;ordre de lecture de %2. Chaque dim a un stride&#xa0;: des déplacements égaux doivent être des pas égaux.</translation>
    </message>
    <message>
        <source>No single stride does both: </source>
        <translation>Aucun stride ne fait les deux&#xa0;: </translation>
    </message>
    <message>
        <source>No strides do both: </source>
        <translation>Aucun jeu de strides ne fait les deux&#xa0;: </translation>
    </message>
    <message>
        <source> and then </source>
        <translation> puis </translation>
    </message>
    <message>
        <source>the step changes here, so the walk stops</source>
        <translation>le pas change ici, le parcours s&apos;arrête donc</translation>
    </message>
    <message>
        <source>  (elements %1–%2 of %3)</source>
        <translation>  (éléments %1–%2 sur %3)</translation>
    </message>
    <message>
        <source>stride %1, contiguous, +%2</source>
        <translation>stride %1, contigu, +%2</translation>
    </message>
    <message>
        <source>also fits</source>
        <translation>convient aussi</translation>
    </message>
    <message>
        <source>Each button writes the same line into the console and the history.</source>
        <translation>Chaque bouton écrit la même ligne dans la console et l&apos;historique.</translation>
    </message>
    <message>
        <source>Asks if strides can do it; here they cannot, so it copies.</source>
        <translation>Demande si des strides y suffisent&#xa0;; ici non, donc il copie.</translation>
    </message>
    <message>
        <source>Writing to it does not change %1.</source>
        <translation>Y écrire ne change pas %1.</translation>
    </message>
    <message>
        <source>Copy, then view</source>
        <translation>Copier, puis view</translation>
    </message>
    <message>
        <source>Copies once to a contiguous %1, then views it for 0 B.</source>
        <translation>Copie une fois vers %1 contigu, puis en prend la vue pour 0 B.</translation>
    </message>
    <message>
        <source>Worth it if you view the copy often.</source>
        <translation>Vaut la peine si l&apos;on regarde souvent la copie.</translation>
    </message>
    <message>
        <source>Use view</source>
        <translation>Utiliser view</translation>
    </message>
    <message>
        <source>A shape these strides can express: stride %1.</source>
        <translation>Une shape que ces strides peuvent exprimer&#xa0;: stride %1.</translation>
    </message>
    <message>
        <source>Still storage #%1: writing to it changes %2.</source>
        <translation>Toujours le stockage #%1&#xa0;: y écrire change %2.</translation>
    </message>
    <message>
        <source> · new storage, %1</source>
        <translation> · nouveau stockage, %1</translation>
    </message>
    <message>
        <source>%1[%2], the same cells everywhere</source>
        <translation>%1[%2], les mêmes cases partout</translation>
    </message>
    <message>
        <source>offset %1</source>
        <translation>offset %1</translation>
    </message>
    <message>
        <source>%1 elements are too many to be moved one by one: numbers tell it.</source>
        <translation>%1 éléments sont trop nombreux pour être déplacés un à un&#xa0;: des nombres le disent.</translation>
    </message>
    <message>
        <source>Not every storage of it is known: numbers tell it.</source>
        <translation>Tous ses stockages ne sont pas connus&#xa0;: des nombres le disent.</translation>
    </message>
    <message>
        <source>%1 were written, and no new memory was made.</source>
        <translation>%1 ont été écrits, sans mémoire nouvelle.</translation>
    </message>
    <message>
        <source>A new storage, %1; %2 were read and %3 written.</source>
        <translation>Un nouveau stockage, %1&#xa0;; %2 ont été lus et %3 écrits.</translation>
    </message>
    <message>
        <source>result</source>
        <translation>résultat</translation>
    </message>
    <message>
        <source>size</source>
        <translation>size</translation>
    </message>
    <message>
        <source>stride</source>
        <translation>stride</translation>
    </message>
    <message>
        <source>offset</source>
        <translation>offset</translation>
    </message>
    <message>
        <source>dim 0 = %1</source>
        <translation>dim 0 = %1</translation>
    </message>
    <message>
        <source>storage</source>
        <translation>stockage</translation>
    </message>
    <message>
        <source>Compute</source>
        <translation>Calculer</translation>
    </message>
    <message>
        <source>Which elements have a part in each result?</source>
        <translation>Quels éléments ont part à chaque résultat&#xa0;?</translation>
    </message>
    <message>
        <source>%1 computed; the operands are as they were.</source>
        <translation>%1 calculés&#xa0;; les opérandes sont restés les mêmes.</translation>
    </message>
    <message>
        <source>%1 computed. Anything in the operands may have had a part in each of them.</source>
        <translation>%1 calculés. Tout ce que contiennent les opérandes a pu avoir part à chacun d&apos;eux.</translation>
    </message>
    <message>
        <source>All %1 make one result.</source>
        <translation>Les %1 font ensemble un seul résultat.</translation>
    </message>
    <message>
        <source>%1 groups of %2: each makes one result.</source>
        <translation>%1 groupes de %2&#xa0;: chacun fait un résultat.</translation>
    </message>
    <message>
        <source>Groups</source>
        <translation>Groupes</translation>
    </message>
    <message>
        <source>Which elements make one result together?</source>
        <translation>Quels éléments font ensemble un résultat&#xa0;?</translation>
    </message>
    <message>
        <source>Slide</source>
        <translation>Glisser</translation>
    </message>
    <message>
        <source>Which dim goes away?</source>
        <translation>Quelle dim disparaît&#xa0;?</translation>
    </message>
    <message>
        <source>Each group stands in one place; keepdim leaves a dim of size 1: size %1.</source>
        <translation>Chaque groupe est en une place&#xa0;; keepdim laisse une dim de taille 1&#xa0;: size %1.</translation>
    </message>
    <message>
        <source>Each group stands in one place: size %1 → %2.</source>
        <translation>Chaque groupe est en une place&#xa0;: size %1 → %2.</translation>
    </message>
    <message>
        <source>Result</source>
        <translation>Résultat</translation>
    </message>
    <message>
        <source>What is left of each group?</source>
        <translation>Que reste-t-il de chaque groupe&#xa0;?</translation>
    </message>
    <message>
        <source>%1 in a new storage; the input is as it was.</source>
        <translation>%1 dans un nouveau stockage&#xa0;; l&apos;entrée est restée la même.</translation>
    </message>
    <message>
        <source>Corner</source>
        <translation>Coin</translation>
    </message>
    <message>
        <source>Do the inner sizes agree?</source>
        <translation>Les tailles intérieures s&apos;accordent-elles&#xa0;?</translation>
    </message>
    <message>
        <source>%1 @ %2 → %3: the inner sizes are both %4, and that dim goes away.</source>
        <translation>%1 @ %2 → %3&#xa0;: les tailles intérieures sont toutes deux %4, et cette dim disparaît.</translation>
    </message>
    <message>
        <source>First element</source>
        <translation>Premier élément</translation>
    </message>
    <message>
        <source>Which row and which column make the first element?</source>
        <translation>Quelle ligne et quelle colonne font le premier élément&#xa0;?</translation>
    </message>
    <message>
        <source>A sum of nothing: %1.</source>
        <translation>Une somme de rien&#xa0;: %1.</translation>
    </message>
    <message>
        <source>All</source>
        <translation>Tous</translation>
    </message>
    <message>
        <source>And the others?</source>
        <translation>Et les autres&#xa0;?</translation>
    </message>
    <message>
        <source>%1 computed, %2 products each; the operands are as they were.</source>
        <translation>%1 calculés, %2 produits chacun&#xa0;; les opérandes sont restés les mêmes.</translation>
    </message>
    <message>
        <source>Walk</source>
        <translation>Parcours</translation>
    </message>
    <message>
        <source>Can strides express it without a copy?</source>
        <translation>Les strides peuvent-ils l&apos;exprimer sans copie&#xa0;?</translation>
    </message>
    <message>
        <source>The walk is straight: a copy is what was asked for.</source>
        <translation>Le parcours est droit&#xa0;: c&apos;est une copie qui était demandée.</translation>
    </message>
    <message>
        <source>No: read row by row, the strip is jumped over %1 times. A copy is needed.</source>
        <translation>Non&#xa0;: lue ligne par ligne, la bande est sautée %1 fois. Il faut une copie.</translation>
    </message>
    <message>
        <source>Storage</source>
        <translation>Stockage</translation>
    </message>
    <message>
        <source>Where will the result lie?</source>
        <translation>Où sera le résultat&#xa0;?</translation>
    </message>
    <message>
        <source>In a new storage of %1, %2; nobody has written to it yet.</source>
        <translation>Dans un nouveau stockage de %1, %2&#xa0;; personne n&apos;y a encore écrit.</translation>
    </message>
    <message>
        <source>Transfer</source>
        <translation>Transfert</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>Copier</translation>
    </message>
    <message>
        <source>From where does each element come?</source>
        <translation>D&apos;où vient chaque élément&#xa0;?</translation>
    </message>
    <message>
        <source>%1 went to %2; the original is still where it was.</source>
        <translation>%1 sont allés vers %2&#xa0;; l&apos;original est toujours là où il était.</translation>
    </message>
    <message>
        <source>%1 copied: what is written to the one is not seen by the other.</source>
        <translation>%1 copiés&#xa0;: ce qu&apos;on écrit dans l&apos;un ne se voit pas dans l&apos;autre.</translation>
    </message>
    <message>
        <source>Values</source>
        <translation>Valeurs</translation>
    </message>
    <message>
        <source>Which values does it begin with?</source>
        <translation>Avec quelles valeurs commence-t-il&#xa0;?</translation>
    </message>
    <message>
        <source>%1 were written, made of no other tensor.</source>
        <translation>%1 ont été écrits, tirés d&apos;aucun autre tenseur.</translation>
    </message>
    <message>
        <source>%1 stays %2</source>
        <translation>%1 reste %2</translation>
    </message>
    <message>
        <source>%1 views; the first: %2</source>
        <translation>%1 vues&#xa0;; la première&#xa0;: %2</translation>
    </message>
    <message>
        <source>Numbers</source>
        <translation>Nombres</translation>
    </message>
    <message>
        <source>Which numbers change: size, stride or offset?</source>
        <translation>Quels nombres changent&#xa0;: size, stride ou offset&#xa0;?</translation>
    </message>
    <message>
        <source> · 0 B copied</source>
        <translation> · 0 B copié</translation>
    </message>
    <message>
        <source>In which order are the cells read?</source>
        <translation>Dans quel ordre les cases sont-elles lues&#xa0;?</translation>
    </message>
    <message>
        <source>Both sizes read the strip in one and the same order: no element has to move.</source>
        <translation>Les deux tailles lisent la bande dans un seul et même ordre&#xa0;: aucun élément n&apos;a à bouger.</translation>
    </message>
    <message>
        <source>Window</source>
        <translation>Fenêtre</translation>
    </message>
    <message>
        <source>Which cells of the strip are reached?</source>
        <translation>Quelles cases de la bande sont atteintes&#xa0;?</translation>
    </message>
    <message>
        <source>%1 of %2 cells are reached; the flag stands at slot %3. None of them moved.</source>
        <translation>%1 cases sur %2 sont atteintes&#xa0;; le drapeau est à l&apos;emplacement %3. Aucune n&apos;a bougé.</translation>
    </message>
    <message>
        <source>The cells that are stored have their places; stride 0 will show them again.</source>
        <translation>Les cases stockées sont à leur place&#xa0;; le stride 0 les montrera de nouveau.</translation>
    </message>
    <message>
        <source>%1 elements, %2 cells: some are seen more than once, as the strides have it.</source>
        <translation>%1 éléments, %2 cases&#xa0;: certaines sont vues plus d&apos;une fois, comme le veulent les strides.</translation>
    </message>
    <message>
        <source>The strip is still: dims changed places, each with its size and its stride.</source>
        <translation>La bande ne bouge pas&#xa0;: les dims ont changé de place, chacune avec sa taille et son stride.</translation>
    </message>
    <message>
        <source>%1 of %2 elements are in it; the others are still in the storage.</source>
        <translation>%1 éléments sur %2 en font partie&#xa0;; les autres sont toujours dans le stockage.</translation>
    </message>
    <message>
        <source>The same cells in the same order, under other sizes.</source>
        <translation>Les mêmes cases dans le même ordre, sous d&apos;autres tailles.</translation>
    </message>
    <message>
        <source>The same cells, seen another way.</source>
        <translation>Les mêmes cases, vues autrement.</translation>
    </message>
    <message>
        <source>Cells</source>
        <translation>Cases</translation>
    </message>
    <message>
        <source>Where does each cell stand in the result?</source>
        <translation>Où se trouve chaque case dans le résultat&#xa0;?</translation>
    </message>
    <message>
        <source>Repeat</source>
        <translation>Répéter</translation>
    </message>
    <message>
        <source>What does a stride of 0 show?</source>
        <translation>Que montre un stride de 0&#xa0;?</translation>
    </message>
    <message>
        <source>The index moves, the cell does not: %1 stored, each seen %2 times. 0 B copied.</source>
        <translation>L&apos;indice avance, la case non&#xa0;: %1 stockées, chacune vue %2 fois. 0 B copié.</translation>
    </message>
    <message>
        <source>The same</source>
        <translation>Le même</translation>
    </message>
    <message>
        <source>Is there anything to do?</source>
        <translation>Y a-t-il quelque chose à faire&#xa0;?</translation>
    </message>
    <message>
        <source>No: it is already as asked, and the very same tensor is returned. 0 B copied.</source>
        <translation>Non&#xa0;: il est déjà comme demandé, et c&apos;est le même tenseur qui est rendu. 0 B copié.</translation>
    </message>
    <message>
        <source>the storage</source>
        <translation>le stockage</translation>
    </message>
    <message>
        <source>Target</source>
        <translation>Cible</translation>
    </message>
    <message>
        <source>Which cells will be written to?</source>
        <translation>Dans quelles cases va-t-on écrire&#xa0;?</translation>
    </message>
    <message>
        <source>Cells of %1 that are there already: no new memory.</source>
        <translation>Des cases de %1 qui existent déjà&#xa0;: aucune mémoire nouvelle.</translation>
    </message>
    <message>
        <source>Write</source>
        <translation>Écrire</translation>
    </message>
    <message>
        <source>Who sees the new values?</source>
        <translation>Qui voit les nouvelles valeurs&#xa0;?</translation>
    </message>
    <message>
        <source>%1 written: all %2 views see them, for they have no cells of their own.</source>
        <translation>%1 écrits&#xa0;: les %2 vues les voient toutes, car elles n&apos;ont pas de cases à elles.</translation>
    </message>
    <message>
        <source>%1 written, in place.</source>
        <translation>%1 écrits, en place.</translation>
    </message>
    <message>
        <source>Which cells would be written to?</source>
        <translation>Dans quelles cases écrirait-on&#xa0;?</translation>
    </message>
    <message>
        <source>%1 elements share their cells, as the strides have it.</source>
        <translation>%1 éléments partagent leurs cases, comme le veulent les strides.</translation>
    </message>
    <message>
        <source>Element by element</source>
        <translation>Élément par élément</translation>
    </message>
    <message>
        <source>Is any cell written to twice?</source>
        <translation>Écrit-on deux fois dans une case&#xa0;?</translation>
    </message>
    <message>
        <source>Element %1 would write to slot %2 again. Refused, and nothing was changed: %3</source>
        <translation>L&apos;élément %1 écrirait une seconde fois dans l&apos;emplacement %2. Refusé, et rien n&apos;a été changé&#xa0;: %3</translation>
    </message>
    <message>
        <source>%1 may use all %2 of %3.</source>
        <translation>%1 peut utiliser les %2 de %3 en entier.</translation>
    </message>
    <message>
        <source>%1 uses the only element of %2.</source>
        <translation>%1 utilise le seul élément de %2.</translation>
    </message>
    <message>
        <source>%1 uses all %2 of %3.</source>
        <translation>%1 utilise les %2 de %3 en entier.</translation>
    </message>
    <message>
        <source>%1 uses %2%3 of %4 (%5 of %6), yet keeps the whole of %7 alive.</source>
        <translation>%1 utilise %2%3 sur %4 (%5 sur %6), mais garde %7 tout entier en mémoire.</translation>
    </message>
    <message>
        <source>Bytes kept by each tensor</source>
        <translation>Octets que garde chaque tenseur</translation>
    </message>
    <message>
        <source>tensor</source>
        <translation>tenseur</translation>
    </message>
    <message>
        <source>bytes</source>
        <translation>octets</translation>
    </message>
    <message>
        <source>numbers</source>
        <translation>nombres</translation>
    </message>
    <message>
        <source>and %1 more</source>
        <translation>et %1 de plus</translation>
    </message>
    <message>
        <source>real part</source>
        <translation>partie réelle</translation>
    </message>
    <message>
        <source>imaginary part</source>
        <translation>partie imaginaire</translation>
    </message>
    <message>
        <source>Element %1: %2</source>
        <translation>Élément %1&#xa0;: %2</translation>
    </message>
    <message>
        <source>show why</source>
        <translation>pourquoi</translation>
    </message>
    <message>
        <source>%1 pieces</source>
        <translation>%1 morceaux</translation>
    </message>
    <message>
        <source>a view with stride </source>
        <translation>une vue de stride </translation>
    </message>
    <message>
        <source>%1: a view with stride %2, +0 B</source>
        <translation>%1&#xa0;: une vue de stride %2, +0 B</translation>
    </message>
    <message>
        <source>%1: %2; a click shows why</source>
        <translation>%1&#xa0;: %2&#xa0;; un clic montre pourquoi</translation>
    </message>
    <message>
        <source>storage #%1[%2]</source>
        <translation>stockage #%1[%2]</translation>
    </message>
    <message>
        <source>%1 (in a sample)</source>
        <translation>%1 (dans un échantillon)</translation>
    </message>
    <message>
        <source>Nothing to export: the picture is %1 × %2 pixels; it needs at least 1 × 1.</source>
        <translation>Rien à exporter&#xa0;: l&apos;image fait %1 × %2 pixels&#xa0;; il en faut au moins 1 × 1.</translation>
    </message>
    <message>
        <source>The picture is %1 × %2 pixels; TeX holds at most %3 a side. Use PDF or a smaller size.</source>
        <translation>L&apos;image fait %1 × %2 pixels&#xa0;; TeX en admet au plus %3 par côté. Prenez le PDF ou une taille plus petite.</translation>
    </message>
    <message>
        <source>There is not enough memory for a picture of %1 × %2 pixels. Use a smaller scale.</source>
        <translation>Il n&apos;y a pas assez de mémoire pour une image de %1 × %2 pixels. Prenez une échelle plus petite.</translation>
    </message>
    <message>
        <source>0 elements</source>
        <translation>0 élément</translation>
    </message>
    <message>
        <source>counting again</source>
        <translation>recompte en cours</translation>
    </message>
    <message>
        <source>of %1</source>
        <translation>sur %1</translation>
    </message>
    <message>
        <source>not all seen</source>
        <translation>tout n&apos;est pas vu</translation>
    </message>
    <message>
        <source>%1 of %2 seen</source>
        <translation>%1 vus sur %2</translation>
    </message>
    <message>
        <source>Every tensor is hidden</source>
        <translation>Tous les tenseurs sont cachés</translation>
    </message>
    <message>
        <source>Select one in the tree, or click an eye to bring it back.</source>
        <translation>Choisissez-en un dans l&apos;arbre, ou cliquez un œil pour le ramener.</translation>
    </message>
    <message>
        <source>No tensor yet</source>
        <translation>Pas encore de tenseur</translation>
    </message>
    <message>
        <source>Type  %1  in the command line,</source>
        <translation>Tapez  %1  dans la ligne de commande,</translation>
    </message>
    <message>
        <source>or open a .npy file or a picture: Ctrl+O, or drop it here.</source>
        <translation>ou ouvrez un fichier .npy ou une image&#xa0;: Ctrl+O, ou déposez-le ici.</translation>
    </message>
    <message>
        <source>  was refused; nothing changed</source>
        <translation>  a été refusé&#xa0;; rien n&apos;a changé</translation>
    </message>
    <message>
        <source>Empty stage</source>
        <translation>Scène vide</translation>
    </message>
    <message>
        <source>%1 over %2</source>
        <translation>%1 sur %2</translation>
    </message>
    <message>
        <source>no storage</source>
        <translation>aucun stockage</translation>
    </message>
    <message>
        <source>Storage and views</source>
        <translation>Stockage et vues</translation>
    </message>
    <message>
        <source>Show %1</source>
        <translation>Montrer %1</translation>
    </message>
    <message>
        <source>index %1 is outside storage #%2, which has %3</source>
        <translation>l&apos;indice %1 est hors du stockage #%2, qui en a %3</translation>
    </message>
    <message>
        <source>Type an index from 0 to %1.</source>
        <translation>Tapez un indice de 0 à %1.</translation>
    </message>
    <message>
        <source>go to %1</source>
        <translation>aller à %1</translation>
    </message>
    <message>
        <source>%1 (dim %2)</source>
        <translation>%1 (dim %2)</translation>
    </message>
    <message>
        <source>some</source>
        <translation>quelques</translation>
    </message>
    <message>
        <source>1 cell</source>
        <translation>1 case</translation>
    </message>
    <message>
        <source>%1 cells</source>
        <translation>%1 cases</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 sur %2</translation>
    </message>
    <message>
        <source>Who reaches what, in visiting order</source>
        <translation>Qui atteint quoi, dans l&apos;ordre de visite</translation>
    </message>
    <message>
        <source>, %1 of (%2)</source>
        <translation>, %1 de (%2)</translation>
    </message>
    <message>
        <source>on </source>
        <translation>sur </translation>
    </message>
    <message>
        <source>outside the storage</source>
        <translation>hors du stockage</translation>
    </message>
    <message>
        <source>   storage #%1, index %2, byte %3</source>
        <translation>   stockage #%1, indice %2, octet %3</translation>
    </message>
    <message>
        <source>   storage #%1, index %2, bytes %3–%4</source>
        <translation>   stockage #%1, indice %2, octets %3–%4</translation>
    </message>
    <message>
        <source>%1 more</source>
        <translation>%1 de plus</translation>
    </message>
    <message>
        <source>over </source>
        <translation>plus de </translation>
    </message>
    <message>
        <source>   ·   the same cell: </source>
        <translation>   ·   la même case&#xa0;: </translation>
    </message>
    <message>
        <source>   ·   no tensor reaches it</source>
        <translation>   ·   aucun tenseur ne l&apos;atteint</translation>
    </message>
    <message>
        <source>element</source>
        <translation>élément</translation>
    </message>
    <message>
        <source>column</source>
        <translation>colonne</translation>
    </message>
    <message>
        <source>row</source>
        <translation>ligne</translation>
    </message>
    <message>
        <source>dim %1 index</source>
        <translation>dim %1 indice</translation>
    </message>
    <message>
        <source>the only element</source>
        <translation>le seul élément</translation>
    </message>
    <message>
        <source>%1 %2, value %3, storage index %4</source>
        <translation>%1 %2, valeur %3, indice de stockage %4</translation>
    </message>
    <message>
        <source>index %1</source>
        <translation>indice %1</translation>
    </message>
    <message>
        <source>samples</source>
        <translation>échantillons</translation>
    </message>
    <message>
        <source>no values to show</source>
        <translation>aucune valeur à montrer</translation>
    </message>
    <message>
        <source>min/max</source>
        <translation>min/max</translation>
    </message>
    <message>
        <source>min/max of samples: too large to be read whole</source>
        <translation>min/max d&apos;échantillons&#xa0;: trop grand pour être lu en entier</translation>
    </message>
    <message>
        <source>min/max of samples (dotted), %1 % read</source>
        <translation>min/max d&apos;échantillons (pointillé), %1 % lus</translation>
    </message>
    <message>
        <source>one pixel = %1 elements, </source>
        <translation>un pixel = %1 éléments, </translation>
    </message>
    <message>
        <source>one pixel ≈ %1 elements, </source>
        <translation>un pixel ≈ %1 éléments, </translation>
    </message>
    <message>
        <source>elements %1..%2, </source>
        <translation>éléments %1..%2, </translation>
    </message>
    <message>
        <source>storage index %1, value %2</source>
        <translation>indice de stockage %1, valeur %2</translation>
    </message>
    <message>
        <source>, seen as </source>
        <translation>, vu comme </translation>
    </message>
    <message>
        <source>storage #%1, %2 of %3, %4</source>
        <translation>stockage #%1, %2 de %3, %4</translation>
    </message>
    <message>
        <source>%1[%2] of </source>
        <translation>%1[%2] de </translation>
    </message>
    <message>
        <source>%1 = %2, %3, size %4, stride %5, offset %6, %7, %8</source>
        <translation>%1 = %2, %3, size %4, stride %5, offset %6, %7, %8</translation>
    </message>
    <message>
        <source>drop on another dim to swap them</source>
        <translation>déposez sur une autre dim pour les échanger</translation>
    </message>
    <message>
        <source>no tensor reaches index %1, so no line of code can write it</source>
        <translation>aucun tenseur n&apos;atteint l&apos;indice %1, aucune ligne de code ne peut donc l&apos;écrire</translation>
    </message>
    <message>
        <source>Select a tensor that reaches the cell, or make one with as_strided.</source>
        <translation>Choisissez un tenseur qui atteint la case, ou faites-en un avec as_strided.</translation>
    </message>
    <message>
        <source>edit index %1</source>
        <translation>modifier l&apos;indice %1</translation>
    </message>
    <message>
        <source>New value of %1</source>
        <translation>Nouvelle valeur de %1</translation>
    </message>
    <message>
        <source>Index in storage #%1 to go to</source>
        <translation>Indice du stockage #%1 où aller</translation>
    </message>
    <message>
        <source>index 0 … %1</source>
        <translation>indice 0 … %1</translation>
    </message>
    <message>
        <source>type an index from 0 to %1</source>
        <translation>tapez un indice de 0 à %1</translation>
    </message>
    <message>
        <source>expected a digit 0-9 at position %1</source>
        <translation>un chiffre 0-9 était attendu en position %1</translation>
    </message>
    <message>
        <source>%1 is too large for 64 bits</source>
        <translation>%1 est trop grand pour 64 bits</translation>
    </message>
    <message>
        <source>%1 is past the end: the storage has %2</source>
        <translation>%1 est après la fin&#xa0;: le stockage en a %2</translation>
    </message>
    <message>
        <source>Edit value…</source>
        <translation>Modifier la valeur…</translation>
    </message>
    <message>
        <source>Move left</source>
        <translation>Déplacer à gauche</translation>
    </message>
    <message>
        <source>Move right</source>
        <translation>Déplacer à droite</translation>
    </message>
    <message>
        <source>Hide card</source>
        <translation>Cacher la carte</translation>
    </message>
    <message>
        <source>Rename…</source>
        <translation>Renommer…</translation>
    </message>
    <message>
        <source>Delete name</source>
        <translation>Supprimer le nom</translation>
    </message>
    <message>
        <source>Go to index…</source>
        <translation>Aller à l&apos;indice…</translation>
    </message>
    <message>
        <source>Actual size</source>
        <translation>Taille réelle</translation>
    </message>
    <message>
        <source>Fit whole storage</source>
        <translation>Voir tout le stockage</translation>
    </message>
    <message>
        <source>64-byte cache lines</source>
        <translation>Lignes de cache de 64 octets</translation>
    </message>
    <message>
        <source>Copy picture as PNG</source>
        <translation>Copier l&apos;image en PNG</translation>
    </message>
    <message>
        <source>Copy picture as SVG</source>
        <translation>Copier l&apos;image en SVG</translation>
    </message>
    <message>
        <source>Copy picture as TikZ</source>
        <translation>Copier l&apos;image en TikZ</translation>
    </message>
    <message>
        <source> · copy of </source>
        <translation> · copie de </translation>
    </message>
    <message>
        <source> · a copy</source>
        <translation> · une copie</translation>
    </message>
    <message>
        <source>a copy</source>
        <translation>une copie</translation>
    </message>
    <message>
        <source>✗ needs slot %1, the storage begins at 0</source>
        <translation>✗ demande l&apos;emplacement %1, le stockage commence à 0</translation>
    </message>
    <message>
        <source>✗ needs %1, storage has %2</source>
        <translation>✗ demande %1, le stockage a %2</translation>
    </message>
    <message>
        <source>More storages:</source>
        <translation>Autres stockages&#xa0;:</translation>
    </message>
    <message>
        <source>#%1 · index %2</source>
        <translation>#%1 · indice %2</translation>
    </message>
    <message>
        <source>Measurements</source>
        <translation>Mesures</translation>
    </message>
    <message>
        <source>n (both axes logarithmic)</source>
        <translation>n (deux axes logarithmiques)</translation>
    </message>
    <message>
        <source>recorded: %1</source>
        <translation>enregistré&#xa0;: %1</translation>
    </message>
    <message>
        <source>Nothing has been timed yet</source>
        <translation>Rien n&apos;a encore été mesuré</translation>
    </message>
    <message>
        <source>Choose what to time at the left, then Run sweep.</source>
        <translation>Choisissez à gauche ce qu&apos;il faut mesurer, puis «&#xa0;Lancer les mesures&#xa0;».</translation>
    </message>
    <message>
        <source>Or open a recorded series.</source>
        <translation>Ou ouvrez une série enregistrée.</translation>
    </message>
    <message>
        <source>Time over size</source>
        <translation>Temps selon la taille</translation>
    </message>
    <message>
        <source>Time for one %1</source>
        <translation>Temps d&apos;un appel de %1</translation>
    </message>
    <message>
        <source>median, band = middle half, dots = blocks of calls</source>
        <translation>médiane, bande = moitié centrale, points = blocs d&apos;appels</translation>
    </message>
    <message>
        <source>n = %1: %2</source>
        <translation>n = %1&#xa0;: %2</translation>
    </message>
    <message>
        <source>, recorded</source>
        <translation>, enregistré</translation>
    </message>
    <message>
        <source>recorded</source>
        <translation>enregistré</translation>
    </message>
    <message>
        <source>%1: %2, at %3</source>
        <translation>%1&#xa0;: %2, à %3</translation>
    </message>
    <message>
        <source>GPU</source>
        <comment>the only device of its kind</comment>
        <translation>GPU</translation>
    </message>
    <message>
        <source>copy in</source>
        <translation>copie aller</translation>
    </message>
    <message>
        <source>copy out</source>
        <translation>copie retour</translation>
    </message>
    <message>
        <source>%1 with transfers</source>
        <translation>%1 avec transferts</translation>
    </message>
    <message>
        <source>%1, kernel only</source>
        <translation>%1, noyau seul</translation>
    </message>
    <message>
        <source>CPU, 1 thread</source>
        <translation>CPU, 1 thread</translation>
    </message>
    <message>
        <source>CPU, %1 threads</source>
        <translation>CPU, %1 threads</translation>
    </message>
    <message>
        <source>measured on this machine</source>
        <translation>mesuré sur cette machine</translation>
    </message>
    <message>
        <source>several operations</source>
        <translation>plusieurs opérations</translation>
    </message>
    <message>
        <source>%1 wins from here</source>
        <translation>%1 gagne à partir d&apos;ici</translation>
    </message>
    <message>
        <source>%1 against %2</source>
        <translation>%1 contre %2</translation>
    </message>
    <message>
        <source>recorded %1 against now, not in turns</source>
        <translation>%1 enregistré contre maintenant, pas à tour de rôle</translation>
    </message>
    <message>
        <source>n = %1 · %2</source>
        <translation>n = %1 · %2</translation>
    </message>
    <message>
        <source>median %1</source>
        <translation>médiane %1</translation>
    </message>
    <message>
        <source>middle half %1</source>
        <translation>moitié centrale %1</translation>
    </message>
    <message>
        <source>true median within %1, 95 %</source>
        <translation>vraie médiane à %1 près, 95 %</translation>
    </message>
    <message>
        <source>%1 blocks of %2 calls, %3 dropped as noisy</source>
        <translation>%1 blocs de %2 appels, %3 écartés comme bruités</translation>
    </message>
    <message>
        <source>first call %1, thrown away</source>
        <translation>premier appel %1, écarté</translation>
    </message>
    <message>
        <source>launch alone %1</source>
        <translation>lancement seul %1</translation>
    </message>
    <message>
        <source>same result as %1 within %2</source>
        <translation>même résultat que %1 à %2 près</translation>
    </message>
    <message>
        <source>cache %1, %2</source>
        <translation>cache %1, %2</translation>
    </message>
    <message>
        <source>do not trust: this machine was busy</source>
        <translation>ne pas s&apos;y fier&#xa0;: la machine était occupée</translation>
    </message>
    <message>
        <source>do not trust: spread %1</source>
        <translation>ne pas s&apos;y fier&#xa0;: dispersion %1</translation>
    </message>
    <message>
        <source>Time for one %1 at %2 sizes, %3 curves</source>
        <translation>Temps d&apos;un appel de %1 à %2 tailles, %3 courbes</translation>
    </message>
    <message>
        <source>cannot tell: %1</source>
        <translation>indécidable&#xa0;: %1</translation>
    </message>
    <message>
        <source>Speed-up: %1</source>
        <translation>Accélération&#xa0;: %1</translation>
    </message>
    <message>
        <source>faster</source>
        <translation>plus rapide</translation>
    </message>
    <message>
        <source>slower</source>
        <translation>plus lent</translation>
    </message>
    <message>
        <source>of peak</source>
        <translation>du maximum</translation>
    </message>
    <message>
        <source>busy</source>
        <translation>occupée</translation>
    </message>
    <message>
        <source>no trust</source>
        <translation>peu sûr</translation>
    </message>
    <message>
        <source>noisy</source>
        <translation>bruité</translation>
    </message>
    <message>
        <source>device</source>
        <translation>appareil</translation>
    </message>
    <message>
        <source>median</source>
        <translation>médiane</translation>
    </message>
    <message>
        <source>middle half (IQR)</source>
        <translation>moitié (IQR)</translation>
    </message>
    <message>
        <source>first call</source>
        <translation>premier appel</translation>
    </message>
    <message>
        <source>of measured peak</source>
        <translation>du maximum mesuré</translation>
    </message>
    <message>
        <source>spread</source>
        <translation>dispersion</translation>
    </message>
    <message>
        <source>, busy: do not trust</source>
        <translation>, occupée&#xa0;: ne pas s&apos;y fier</translation>
    </message>
    <message>
        <source>, do not trust</source>
        <translation>, ne pas s&apos;y fier</translation>
    </message>
    <message>
        <source>one row for each size and device</source>
        <translation>une ligne par taille et par appareil</translation>
    </message>
    <message>
        <source>Not measured: %1</source>
        <translation>Non mesuré&#xa0;: %1</translation>
    </message>
    <message>
        <source>copy in (H2D)</source>
        <translation>copie aller (H2D)</translation>
    </message>
    <message>
        <source>kernel</source>
        <translation>noyau</translation>
    </message>
    <message>
        <source>copy out (D2H)</source>
        <translation>copie retour (D2H)</translation>
    </message>
    <message>
        <source>n = %1: copy in %2, kernel %3, copy out %4, in all %5; as one call %6</source>
        <translation>n = %1&#xa0;: copie aller %2, noyau %3, copie retour %4, en tout %5&#xa0;; en un seul appel %6</translation>
    </message>
    <message>
        <source>One call at n = %1, on two lanes</source>
        <translation>Un appel à n = %1, sur deux pistes</translation>
    </message>
    <message>
        <source>medians, recorded</source>
        <translation>médianes, enregistré</translation>
    </message>
    <message>
        <source>medians</source>
        <translation>médianes</translation>
    </message>
    <message>
        <source>wait</source>
        <translation>attente</translation>
    </message>
    <message>
        <source>launch %1</source>
        <translation>lancement %1</translation>
    </message>
    <message>
        <source>kernel, synchronised: %1</source>
        <translation>noyau, synchronisé&#xa0;: %1</translation>
    </message>
    <message>
        <source>%1: none found</source>
        <translation>%1&#xa0;: aucun trouvé</translation>
    </message>
    <message>
        <source>%1: not timed yet</source>
        <translation>%1&#xa0;: pas encore mesuré</translation>
    </message>
    <message>
        <source>Everything on the CPU works. Times of a GPU can be shown from a recorded series.</source>
        <translation>Tout fonctionne sur le CPU. Les temps d&apos;un GPU peuvent être montrés d&apos;une série enregistrée.</translation>
    </message>
    <message>
        <source>Choose it under Devices, with Transfers on, and run the sweep.</source>
        <translation>Choisissez-le sous «&#xa0;Appareils&#xa0;», avec les transferts, et lancez les mesures.</translation>
    </message>
    <message>
        <source>Where the GPU time goes</source>
        <translation>Où passe le temps du GPU</translation>
    </message>
    <message>
        <source>share of the total</source>
        <translation>part du total</translation>
    </message>
    <message>
        <source>How it was measured</source>
        <translation>Comment cela a été mesuré</translation>
    </message>
    <message>
        <source>Blocks of calls, in turns: they are drawn here when a size has been measured.</source>
        <translation>Blocs d&apos;appels, à tour de rôle&#xa0;: ils sont dessinés ici dès qu&apos;une taille a été mesurée.</translation>
    </message>
    <message>
        <source>How n = %1 was measured</source>
        <translation>Comment n = %1 a été mesuré</translation>
    </message>
    <message>
        <source>blocks of calls, in turns</source>
        <translation>blocs d&apos;appels, à tour de rôle</translation>
    </message>
    <message>
        <source>what counts</source>
        <translation>ce qui compte</translation>
    </message>
    <message>
        <source>%1 kept, %2 dropped as noisy (half as high), %3 of the warm-up (pale)</source>
        <translation>%1 gardés, %2 écartés comme bruités (moins hauts), %3 d&apos;échauffement (pâles)</translation>
    </message>
    <message>
        <source>×%1</source>
        <translation>×%1</translation>
    </message>
    <message>
        <source>running</source>
        <translation>en cours</translation>
    </message>
    <message>
        <source>again</source>
        <translation>encore</translation>
    </message>
    <message>
        <source>run</source>
        <translation>lancer</translation>
    </message>
    <message>
        <source>Wrong: %1, right: %2. </source>
        <translation>Faux&#xa0;: %1, juste&#xa0;: %2. </translation>
    </message>
    <message>
        <source>lines of 64 bytes fetched: a model, not measured</source>
        <translation>lignes de 64 octets lues&#xa0;: un modèle, non mesuré</translation>
    </message>
    <message>
        <source>Ways to time the same work wrongly</source>
        <translation>Des façons de mal mesurer le même travail</translation>
    </message>
    <message>
        <source>click one to run it beside the right way; the bracket is what the clock saw</source>
        <translation>cliquez-en une pour la lancer à côté de la bonne&#xa0;; le crochet est ce que l&apos;horloge a vu</translation>
    </message>
    <message>
        <source>All have %1 dim: there is nothing to prepend.</source>
        <translation>Tous ont %1 dim&#xa0;: rien à compléter.</translation>
    </message>
    <message>
        <source>All have %1 dims: there is nothing to prepend.</source>
        <translation>Tous ont %1 dims&#xa0;: rien à compléter.</translation>
    </message>
    <message>
        <source>%1 ghost dim of size 1 stands in front; no element moved.</source>
        <translation>%1 dim fantôme de taille 1 est devant&#xa0;; aucun élément n&apos;a bougé.</translation>
    </message>
    <message>
        <source>%1 ghost dims of size 1 stand in front; no element moved.</source>
        <translation>%1 dims fantômes de taille 1 sont devant&#xa0;; aucun élément n&apos;a bougé.</translation>
    </message>
    <message>
        <source>%1 dim has stride 0 now: the index moves, the cell does not. 0 B copied.</source>
        <translation>%1 dim a maintenant le stride 0&#xa0;: l&apos;indice avance, la case non. 0 B copié.</translation>
    </message>
    <message>
        <source>%1 dims have stride 0 now: the index moves, the cell does not. 0 B copied.</source>
        <translation>%1 dims ont maintenant le stride 0&#xa0;: l&apos;indice avance, la case non. 0 B copié.</translation>
    </message>
    <message>
        <source>%1 element was written into the storage of %2: no new memory.</source>
        <translation>%1 élément a été écrit dans le stockage de %2&#xa0;: aucune mémoire nouvelle.</translation>
    </message>
    <message>
        <source>%1 elements were written into the storage of %2: no new memory.</source>
        <translation>%1 éléments ont été écrits dans le stockage de %2&#xa0;: aucune mémoire nouvelle.</translation>
    </message>
    <message>
        <source>%1 element was computed; only the result has new memory, %2.</source>
        <translation>%1 élément a été calculé&#xa0;; seul le résultat a de la mémoire nouvelle, %2.</translation>
    </message>
    <message>
        <source>%1 elements were computed; only the result has new memory, %2.</source>
        <translation>%1 éléments ont été calculés&#xa0;; seul le résultat a de la mémoire nouvelle, %2.</translation>
    </message>
    <message>
        <source>Write the shapes, right-aligned</source>
        <translation>Écrire les shapes, alignées à droite</translation>
    </message>
    <message>
        <source>Shapes</source>
        <translation>Shapes</translation>
    </message>
    <message>
        <source>Prepend 1s where dims are missing</source>
        <translation>Mettre des 1 devant où il manque des dims</translation>
    </message>
    <message>
        <source>Prepend 1s</source>
        <translation>Mettre des 1</translation>
    </message>
    <message>
        <source>Compare each column, stretch the 1s</source>
        <translation>Comparer les colonnes, étirer les 1</translation>
    </message>
    <message>
        <source>Compare, stretch</source>
        <translation>Comparer, étirer</translation>
    </message>
    <message>
        <source>Compute, element by element</source>
        <translation>Calculer, élément par élément</translation>
    </message>
    <message>
        <source>all of it</source>
        <translation>le tout</translation>
    </message>
    <message>
        <source>the end</source>
        <translation>la fin</translation>
    </message>
    <message>
        <source>%1 in tensors that have a name</source>
        <translation>%1 en tenseurs qui ont un nom</translation>
    </message>
    <message>
        <source>%1 in tensors</source>
        <translation>%1 en tenseurs</translation>
    </message>
    <message>
        <source>memory in use is not told</source>
        <translation>la mémoire occupée n&apos;est pas connue</translation>
    </message>
    <message>
        <source>%1 of %2 in use</source>
        <translation>%1 occupés sur %2</translation>
    </message>
    <message>
        <source>, %1 of them without a name</source>
        <translation>, dont %1 sans nom</translation>
    </message>
    <message>
        <source>%1: %2, size %3, %4, on %5</source>
        <translation>%1&#xa0;: %2, size %3, %4, sur %5</translation>
    </message>
    <message>
        <source>, lost: the device was started anew</source>
        <translation>, perdu&#xa0;: l&apos;appareil a été redémarré</translation>
    </message>
    <message>
        <source>stride %1 · offset %2</source>
        <translation>stride %1 · offset %2</translation>
    </message>
    <message>
        <source> · %1 of storage</source>
        <translation> · %1 de stockage</translation>
    </message>
    <message>
        <source>stride %1</source>
        <translation>stride %1</translation>
    </message>
    <message>
        <source>lost: %1 was started anew</source>
        <translation>perdu&#xa0;: %1 a été redémarré</translation>
    </message>
    <message>
        <source>lost</source>
        <translation>perdu</translation>
    </message>
    <message>
        <source>CPU, %1</source>
        <translation>CPU, %1</translation>
    </message>
    <message>
        <source>%1, simulated: its times say nothing about a GPU</source>
        <translation>%1, simulé&#xa0;: ses temps ne disent rien d&apos;un GPU</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1, %2</translation>
    </message>
    <message>
        <source>, %1 of %2 in use</source>
        <translation>, %1 occupés sur %2</translation>
    </message>
    <message numerus="yes">
        <source>, %n tensors</source>
        <translation>
            <numerusform>, %n tenseur</numerusform>
            <numerusform>, %n tenseurs</numerusform>
        </translation>
    </message>
    <message>
        <source>, failed: %1</source>
        <translation>, en panne&#xa0;: %1</translation>
    </message>
    <message>
        <source>No tensor has a name yet: x = torch.ones(2, 3) makes one.</source>
        <translation>Aucun tenseur n&apos;a encore de nom&#xa0;: x = torch.ones(2, 3) en fait un.</translation>
    </message>
    <message>
        <source>No tensor is here: x.to(&quot;%1&quot;) puts a copy of x here.</source>
        <translation>Aucun tenseur n&apos;est ici&#xa0;: x.to(&quot;%1&quot;) met ici une copie de x.</translation>
    </message>
    <message>
        <source>simulated link</source>
        <translation>lien simulé</translation>
    </message>
    <message>
        <source>%1 moved</source>
        <translation>%1 déplacés</translation>
    </message>
    <message>
        <source>%1 on the way</source>
        <translation>%1 en route</translation>
    </message>
    <message>
        <source>%1 from %2 to the CPU</source>
        <translation>%1 de %2 vers le CPU</translation>
    </message>
    <message>
        <source>%1 from the CPU to %2</source>
        <translation>%1 du CPU vers %2</translation>
    </message>
    <message>
        <source>%1, measured</source>
        <translation>%1, mesuré</translation>
    </message>
    <message>
        <source> in %1, measured</source>
        <translation> en %1, mesuré</translation>
    </message>
    <message>
        <source>the link alone: %1</source>
        <translation>le lien seul&#xa0;: %1</translation>
    </message>
    <message>
        <source>link: %1</source>
        <translation>lien&#xa0;: %1</translation>
    </message>
    <message>
        <source>nothing moved in this run</source>
        <translation>rien n&apos;a bougé dans cette exécution</translation>
    </message>
    <message>
        <source>nothing moved</source>
        <translation>rien n&apos;a bougé</translation>
    </message>
    <message>
        <source>: nothing moved in this run</source>
        <translation>&#xa0;: rien n&apos;a bougé dans cette exécution</translation>
    </message>
    <message>
        <source>Simulated device: off</source>
        <translation>Appareil simulé&#xa0;: désactivé</translation>
    </message>
    <message>
        <source>It behaves as a GPU does, on this CPU; its times say nothing about one.</source>
        <translation>Il se comporte comme un GPU, sur ce CPU&#xa0;; ses temps ne disent rien d&apos;un GPU.</translation>
    </message>
    <message>
        <source>It lives in Python, and Python cannot be used: %1</source>
        <translation>Il vit dans Python, et Python ne peut être utilisé&#xa0;: %1</translation>
    </message>
    <message>
        <source>switches it on</source>
        <translation>l&apos;active</translation>
    </message>
    <message>
        <source>Switch on</source>
        <translation>Activer</translation>
    </message>
    <message>
        <source>No GPU found</source>
        <translation>Aucun GPU trouvé</translation>
    </message>
    <message>
        <source>%1 from %2 to %3, %4</source>
        <translation>%1 de %2 vers %3, %4</translation>
    </message>
    <message>
        <source>on the way</source>
        <translation>en route</translation>
    </message>
    <message>
        <source>%1 on %2</source>
        <translation>%1 sur %2</translation>
    </message>
    <message>
        <source>: called at %1</source>
        <translation>&#xa0;: appelé à %1</translation>
    </message>
    <message>
        <source>, never begun: the device had failed</source>
        <translation>, jamais commencé&#xa0;: l&apos;appareil était en panne</translation>
    </message>
    <message>
        <source>, waits in the queue</source>
        <translation>, attend dans la file</translation>
    </message>
    <message>
        <source>, began %1 later</source>
        <translation>, commencé %1 plus tard</translation>
    </message>
    <message>
        <source>, runs</source>
        <translation>, en cours</translation>
    </message>
    <message>
        <source>, took %1</source>
        <translation>, a pris %1</translation>
    </message>
    <message>
        <source>%1 waits</source>
        <translation>%1 attend</translation>
    </message>
    <message>
        <source>waits</source>
        <translation>attend</translation>
    </message>
    <message>
        <source>the CPU waits %1 for %2: %3</source>
        <translation>le CPU attend %2 pendant %1&#xa0;: %3</translation>
    </message>
    <message>
        <source>calls</source>
        <translation>appels</translation>
    </message>
    <message>
        <source> stream %1</source>
        <translation> stream %1</translation>
    </message>
    <message>
        <source>simulated</source>
        <translation>simulé</translation>
    </message>
    <message>
        <source>call of %1 at %2</source>
        <translation>appel de %1 à %2</translation>
    </message>
    <message>
        <source>The device has not begun yet. The call is over: it only queued the work.</source>
        <translation>L&apos;appareil n&apos;a pas encore commencé. L&apos;appel est fini&#xa0;: il n&apos;a fait que mettre le travail dans la file.</translation>
    </message>
    <message>
        <source>A call returns as soon as its work is queued.</source>
        <translation>Un appel revient dès que son travail est dans la file.</translation>
    </message>
    <message>
        <source>Who stops the clock before synchronize has timed the queue: here %1 too little.</source>
        <translation>Qui arrête l&apos;horloge avant synchronize a mesuré la mise en file&#xa0;: ici trop peu, d&apos;un facteur %1.</translation>
    </message>
    <message>
        <source>The CPU stood still for %1.</source>
        <translation>Le CPU est resté %1 sans rien faire.</translation>
    </message>
    <message>
        <source>Times of a simulated device say nothing about a GPU.</source>
        <translation>Les temps d&apos;un appareil simulé ne disent rien d&apos;un GPU.</translation>
    </message>
    <message>
        <source>stop here: %1, the calls only</source>
        <translation>arrêt ici&#xa0;: %1, les appels seulement</translation>
    </message>
    <message>
        <source>stop after synchronize: %1</source>
        <translation>arrêt après synchronize&#xa0;: %1</translation>
    </message>
    <message>
        <source>Queued and run</source>
        <translation>Mis en file et exécuté</translation>
    </message>
    <message>
        <source>No device was given any work yet. What a line gives to one stands here on two lanes: when the call was made, and when the device did it.</source>
        <translation>Aucun appareil n&apos;a encore reçu de travail. Ce qu&apos;une ligne lui donne est ici sur deux pistes&#xa0;: quand l&apos;appel a été fait, et quand l&apos;appareil l&apos;a exécuté.</translation>
    </message>
    <message>
        <source>the device&apos;s lane goes on after the CPU&apos;s is free</source>
        <translation>la piste de l&apos;appareil continue quand celle du CPU est libre</translation>
    </message>
    <message>
        <source>%1 more pieces of work are not drawn</source>
        <translation>encore %1 travaux ne sont pas dessinés</translation>
    </message>
    <message>
        <source>What the clock saw</source>
        <translation>Ce que l&apos;horloge a vu</translation>
    </message>
    <message>
        <source>copy</source>
        <translation>copie</translation>
    </message>
    <message>
        <source>copy to %1</source>
        <translation>copie vers %1</translation>
    </message>
    <message>
        <source>no limit</source>
        <translation>aucune limite</translation>
    </message>
    <message>
        <source>%1/s</source>
        <translation>%1/s</translation>
    </message>
    <message>
        <source>%1 runs %2</source>
        <translation>%1 exécute %2</translation>
    </message>
    <message>
        <source>%1 is idle</source>
        <translation>%1 ne fait rien</translation>
    </message>
    <message>
        <source>%1 has not begun</source>
        <translation>%1 n&apos;a pas commencé</translation>
    </message>
    <message>
        <source>%1 is about to begin the next</source>
        <translation>%1 va commencer le suivant</translation>
    </message>
    <message numerus="yes">
        <source>, %n more in its queue</source>
        <translation>
            <numerusform>, encore %n dans sa file</numerusform>
            <numerusform>, encore %n dans sa file</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>, %n in its queue</source>
        <translation>
            <numerusform>, %n dans sa file</numerusform>
            <numerusform>, %n dans sa file</numerusform>
        </translation>
    </message>
    <message>
        <source>, %1 done</source>
        <translation>, %1 faits</translation>
    </message>
    <message>
        <source>the CPU waits: %1</source>
        <translation>le CPU attend&#xa0;: %1</translation>
    </message>
    <message>
        <source>the CPU is free</source>
        <translation>le CPU est libre</translation>
    </message>
    <message>
        <source>%1 side</source>
        <translation>côté %1</translation>
    </message>
    <message>
        <source>needs %1</source>
        <translation>il faut %1</translation>
    </message>
    <message>
        <source>free %1 of %2</source>
        <translation>%1 libres sur %2</translation>
    </message>
    <message>
        <source>Every call on %1 is refused until it is started anew. Tensors of the CPU stay.</source>
        <translation>Tout appel sur %1 est refusé jusqu&apos;à son redémarrage. Les tenseurs du CPU restent.</translation>
    </message>
    <message>
        <source>What was on %1 is gone.</source>
        <translation>Ce qui était sur %1 a disparu.</translation>
    </message>
    <message>
        <source> Needs %1, in use %2 of %3.</source>
        <translation> Il faut %1, %2 occupés sur %3.</translation>
    </message>
    <message>
        <source>%1 (simulated)</source>
        <translation>%1 (simulé)</translation>
    </message>
    <message>
        <source>Devices: %1</source>
        <translation>Appareils&#xa0;: %1</translation>
    </message>
    <message>
        <source>Run %1</source>
        <translation>Lancer %1</translation>
    </message>
    <message>
        <source>Run %1: %2</source>
        <translation>Lancer %1&#xa0;: %2</translation>
    </message>
    <message>
        <source>the result</source>
        <translation>le résultat</translation>
    </message>
    <message>
        <source>%1%2</source>
        <translation>%1%2</translation>
    </message>
    <message>
        <source>%1%2, and what it comes from</source>
        <translation>%1%2, et ce dont il vient</translation>
    </message>
    <message>
        <source>a storage without a name</source>
        <translation>un stockage sans nom</translation>
    </message>
    <message>
        <source>%1, %2 of %3 on %4</source>
        <translation>%1, %2 en %3 sur %4</translation>
    </message>
    <message>
        <source>%1, new</source>
        <translation>%1, nouveau</translation>
    </message>
    <message>
        <source>%1, size %2, stride %3, offset %4, %5, %6</source>
        <translation>%1, size %2, stride %3, offset %4, %5, %6</translation>
    </message>
    <message>
        <source>value unknown</source>
        <translation>valeur inconnue</translation>
    </message>
    <message>
        <source>value %1</source>
        <translation>valeur %1</translation>
    </message>
    <message>
        <source>index %1, </source>
        <translation>indice %1, </translation>
    </message>
    <message>
        <source>not written yet</source>
        <translation>pas encore écrit</translation>
    </message>
    <message>
        <source>, skipped</source>
        <translation>, sautée</translation>
    </message>
    <message>
        <source>, reached by %1</source>
        <translation>, atteinte par %1</translation>
    </message>
    <message>
        <source>Stage %1 of %2, %3. %4</source>
        <translation>Étape %1 sur %2, %3. %4</translation>
    </message>
    <message>
        <source>%1, not there yet</source>
        <translation>%1, pas encore là</translation>
    </message>
    <message>
        <source>%1, %2, %3 index %4</source>
        <translation>%1, %2, %3 indice %4</translation>
    </message>
    <message>
        <source>%1, repeated</source>
        <translation>%1, répété</translation>
    </message>
    <message>
        <source>peak too low</source>
        <translation>maximum trop bas</translation>
    </message>
    <message>
        <source>, class %1</source>
        <translation>, classe %1</translation>
    </message>
    <message>
        <source>no image</source>
        <translation>aucune image</translation>
    </message>
    <message>
        <source>image %1%2, row %3, column %4</source>
        <translation>image %1%2, ligne %3, colonne %4</translation>
    </message>
    <message>
        <source>image %1 row %2 column %3</source>
        <translation>image %1 ligne %2 colonne %3</translation>
    </message>
    <message>
        <source>%1 %2 storage index %3</source>
        <translation>%1 %2 indice de stockage %3</translation>
    </message>
    <message>
        <source>value</source>
        <translation>valeur</translation>
    </message>
    <message>
        <source>, differs by %1</source>
        <translation>, différence %1</translation>
    </message>
    <message>
        <source>%1 more channels</source>
        <translation>%1 canaux de plus</translation>
    </message>
    <message>
        <source>%1 images of %2 × %3 pixels, %4 channels, %5 rows of %6</source>
        <translation>%1 images de %2 × %3 pixels, %4 canaux, %5 lignes de %6</translation>
    </message>
    <message>
        <source>Pixels of image %1%2</source>
        <translation>Pixels de l&apos;image %1%2</translation>
    </message>
    <message>
        <source>above the highest, so it is %1</source>
        <translation>au-dessus du maximum : %1</translation>
    </message>
    <message>
        <source>below the lowest, so it is %1</source>
        <translation>sous le minimum : %1</translation>
    </message>
    <message>
        <source>between the limits, so it stays %1</source>
        <translation>entre les bornes : reste %1</translation>
    </message>
    <message>
        <source>the condition holds, so it is %1</source>
        <translation>la condition est vraie : %1</translation>
    </message>
    <message>
        <source>the condition does not hold, so it is %1</source>
        <translation>la condition est fausse : %1</translation>
    </message>
    <message>
        <source>the mask is true, so it becomes %1</source>
        <translation>masque vrai : devient %1</translation>
    </message>
    <message>
        <source>the mask is false, so it stays %1</source>
        <translation>masque faux : reste %1</translation>
    </message>
    <message>
        <source>cells %1 – %2</source>
        <translation>cases %1 – %2</translation>
    </message>
    <message>
        <source>preview</source>
        <translation>aperçu</translation>
    </message>
    <message>
        <source>%1 has %2 elements</source>
        <translation>%1 a %2 éléments</translation>
    </message>
    <message>
        <source>%1 has %2 columns</source>
        <translation>%1 a %2 colonnes</translation>
    </message>
    <message>
        <source>%1 has %2 rows</source>
        <translation>%1 a %2 lignes</translation>
    </message>
    <message>
        <source>%1, %2: each is multiplied with one of the other, so they must be as many.</source>
        <translation>%1, %2 : chacun est multiplié avec un de l&apos;autre, il en faut donc autant.</translation>
    </message>
    <message>
        <source>%1 has %2 dims, %3 has %4: what is joined has equally many.</source>
        <translation>%1 a %2 dims, %3 en a %4 : ce qui est joint en a autant.</translation>
    </message>
    <message>
        <source>At dim %1 %2 has %3 and %4 has %5: what is stacked has equal sizes.</source>
        <translation>À la dim %1, %2 a %3 et %4 a %5 : ce qui est empilé a des tailles égales.</translation>
    </message>
    <message>
        <source>At dim %1 %2 has %3 and %4 has %5: only along dim %6 may sizes differ.</source>
        <translation>À la dim %1, %2 a %3 et %4 a %5 : les tailles ne peuvent différer que le long de la dim %6.</translation>
    </message>
    <message>
        <source>%1 has size %2 and keeps it: written in place, it cannot grow to %3.</source>
        <translation>%1 a la taille %2 et la garde : écrit sur place, il ne peut pas devenir %3.</translation>
    </message>
    <message>
        <source>sign</source>
        <translation>signe</translation>
    </message>
    <message>
        <source>exponent</source>
        <translation>exposant</translation>
    </message>
    <message>
        <source>mantissa</source>
        <translation>mantisse</translation>
    </message>
    <message>
        <source>truth</source>
        <translation>vérité</translation>
    </message>
    <message>
        <source>index</source>
        <translation>indice</translation>
    </message>
    <message>
        <source>byte</source>
        <translation>octet</translation>
    </message>
    <message>
        <source>The file name has no extension. Pictures are written as .png, .svg, .pdf, .tex, .tikz or .txt.</source>
        <translation>Le nom du fichier n&apos;a pas d&apos;extension. Les images s&apos;écrivent en .png, .svg, .pdf, .tex, .tikz ou .txt.</translation>
    </message>
    <message>
        <source>Pictures cannot be written as .%1. Use .png, .svg, .pdf, .tex, .tikz or .txt.</source>
        <translation>Les images ne s&apos;écrivent pas en .%1. Prenez .png, .svg, .pdf, .tex, .tikz ou .txt.</translation>
    </message>
    <message>
        <source>Cards of views above, the storage strip below. Tab moves between them, arrows move the picked cell, Enter edits its value.</source>
        <translation>En haut les cartes des vues, en bas la bande du stockage. Tab passe de l&apos;une à l&apos;autre, les flèches déplacent la case choisie, Entrée modifie sa valeur.</translation>
    </message>
    <message>
        <source>No synchronise</source>
        <translation>Sans synchronisation</translation>
    </message>
    <message>
        <source>Stops the clock when the work is queued, so it sees the launch and not the product.</source>
        <translation>Arrête l&apos;horloge quand le travail est mis en file&#xa0;: elle voit le lancement, pas le produit.</translation>
    </message>
    <message>
        <source>No warm-up</source>
        <translation>Sans chauffe</translation>
    </message>
    <message>
        <source>The first call also makes what is made once: memory pages, handles, on a GPU code that is loaded.</source>
        <translation>Le premier appel fait aussi ce qui n&apos;est fait qu&apos;une fois&#xa0;: pages de mémoire, poignées, et sur un GPU le code à charger.</translation>
    </message>
    <message>
        <source>Transfer counted in</source>
        <translation>Transfert compté</translation>
    </message>
    <message>
        <source>Right if the data start and end on the CPU: that is the time you wait. Wrong as the time of the product.</source>
        <translation>Juste si les données partent du CPU et y reviennent&#xa0;: c&apos;est le temps qu&apos;on attend. Faux comme temps du produit.</translation>
    </message>
    <message>
        <source>Transfer left out</source>
        <translation>Transfert omis</translation>
    </message>
    <message>
        <source>Right only if the data already live on the GPU; say so beside the number.</source>
        <translation>Juste seulement si les données sont déjà sur le GPU&#xa0;; dites-le à côté du nombre.</translation>
    </message>
    <message>
        <source>Too few runs</source>
        <translation>Trop peu d&apos;exécutions</translation>
    </message>
    <message>
        <source>One call is shorter than what disturbs it: the clock, an interrupt, a neighbour. Single runs tell anything.</source>
        <translation>Un appel est plus court que ce qui le dérange&#xa0;: l&apos;horloge, une interruption, un voisin. Une seule exécution dit n&apos;importe quoi.</translation>
    </message>
    <message>
        <source>Python loop</source>
        <translation>Boucle Python</translation>
    </message>
    <message>
        <source>The loop pays the interpreter for each element; the operation pays it once.</source>
        <translation>La boucle paie l&apos;interpréteur pour chaque élément&#xa0;; l&apos;opération le paie une fois.</translation>
    </message>
    <message>
        <source>Inverse instead of solve</source>
        <translation>Inverse au lieu de solve</translation>
    </message>
    <message>
        <source>The inverse takes about three times the arithmetic, and the answer is less exact.</source>
        <translation>L&apos;inverse demande environ trois fois plus de calculs, et la réponse est moins exacte.</translation>
    </message>
    <message>
        <source>Column by column</source>
        <translation>Colonne par colonne</translation>
    </message>
    <message>
        <source>The same additions in another order: each step down a column asks for another cache line.</source>
        <translation>Les mêmes additions dans un autre ordre&#xa0;: chaque pas vers le bas d&apos;une colonne demande une autre ligne de cache.</translation>
    </message>
    <message>
        <source>%1 in new storages; the input is as it was.</source>
        <translation>%1 dans de nouveaux stockages&#xa0;; l&apos;entrée est restée la même.</translation>
    </message>
    <message>
        <source>%1 copied, and %2 computed.</source>
        <translation>%1 copiés, et %2 calculés.</translation>
    </message>
    <message>
        <source>With none: nobody has written to its %1 yet.</source>
        <translation>Avec aucune&#xa0;: personne n&apos;a encore écrit dans ses %1.</translation>
    </message>
    <message>
        <source>Cells of %1, of which the elements of %3 share %2.</source>
        <translation>Des cases de %1, dont les éléments de %3 partagent %2.</translation>
    </message>
    <message>
        <source>Is any cell read after it was written to?</source>
        <translation>Lit-on une case après y avoir écrit&#xa0;?</translation>
    </message>
    <message>
        <source>Element %1 would read slot %2, which has a new value. Refused, and nothing was changed: %3</source>
        <translation>L&apos;élément %1 lirait l&apos;emplacement %2, qui a une nouvelle valeur. Refusé, et rien n&apos;a été changé&#xa0;: %3</translation>
    </message>
    <message>
        <source>dim %1 · %2–%3 of %4</source>
        <translation>dim %1 · %2–%3 sur %4</translation>
    </message>
    <message>
        <source>one stored cell per row</source>
        <translation>une case stockée par ligne</translation>
    </message>
    <message>
        <source>one stored cell per column</source>
        <translation>une case stockée par colonne</translation>
    </message>
    <message>
        <source>it was %1</source>
        <translation>c&apos;était %1</translation>
    </message>
    <message>
        <source> This walk goes below slot 0, to %1, too.</source>
        <translation> Ce parcours descend aussi sous l&apos;emplacement 0, jusqu&apos;à %1.</translation>
    </message>
    <message>
        <source> It would also need slot %1, and the last one is %2.</source>
        <translation> Il lui faudrait aussi l&apos;emplacement %1, et le dernier est %2.</translation>
    </message>
    <message>
        <source>Not in this order; but no order is promised. Refused, and nothing was changed: %1</source>
        <translation>Pas dans cet ordre ; mais aucun ordre n&apos;est promis. Refusé, rien n&apos;a été changé : %1</translation>
    </message>
    <message>
        <source>PyTorch&apos;s strides are 0 or more. Backwards is a copy: flip() gives the elements in that order.</source>
        <translation>Les pas (strides) de PyTorch valent 0 ou plus. À l&apos;envers, c&apos;est une copie : flip() donne les éléments dans cet ordre.</translation>
    </message>
    <message>
        <source>%1 groups of equal elements: each makes one result.</source>
        <translation>%1 groupes d&apos;éléments égaux&#xa0;: chacun donne un résultat.</translation>
    </message>
    <message>
        <source>Where do equal elements go?</source>
        <translation>Où vont les éléments égaux&#xa0;?</translation>
    </message>
    <message>
        <source>at least </source>
        <translation>au moins </translation>
    </message>
    <message>
        <source>stride 0 (dim %1): the same cell</source>
        <translation>stride 0 (dim %1)&#xa0;: la même case</translation>
    </message>
    <message>
        <source>model: %1%2/%3 lines</source>
        <translation>modèle&#xa0;: %1%2/%3 lignes</translation>
    </message>
    <message>
        <source>%1%2 of %3 lines (model)</source>
        <translation>%1%2 lignes sur %3 (modèle)</translation>
    </message>
    <message>
        <source>model: %1%2 of %3 lines</source>
        <translation>modèle&#xa0;: %1%2 lignes sur %3</translation>
    </message>
    <message>
        <source>%1%2 misses, %3 hits</source>
        <translation>%1%2 échecs, %3 succès</translation>
    </message>
    <message>
        <source>hits </source>
        <translation>succès </translation>
    </message>
    <message>
        <source>gone: the file ends at byte</source>
        <translation>disparu&#xa0;: le fichier s&apos;arrête à l&apos;octet</translation>
    </message>
    <message>
        <source>and %1 more: %2</source>
        <translation>et %1 de plus&#xa0;: %2</translation>
    </message>
</context>
<context>
    <name>QObject</name>
    <message>
        <source>%1 more notes of this kind.</source>
        <translation>encore %1 notes de cette sorte.</translation>
    </message>
    <message>
        <source> and %1 more</source>
        <translation> et %1 de plus</translation>
    </message>
    <message>
        <source>left out: %1</source>
        <translation>laissé de côté&#xa0;: %1</translation>
    </message>
    <message>
        <source>The last %1 B are part of a record and left out.</source>
        <translation>Les %1 derniers octets sont un bout d&apos;enregistrement et sont laissés de côté.</translation>
    </message>
    <message>
        <source>1-bit pixels became 0 and 255.</source>
        <translation>Les pixels de 1 bit sont devenus 0 et 255.</translation>
    </message>
    <message>
        <source>Palette colours became RGB values.</source>
        <translation>Les couleurs de la palette sont devenues des valeurs RGB.</translation>
    </message>
    <message>
        <source>16-bit values were reduced to 8 bits.</source>
        <translation>Les valeurs de 16 bits ont été réduites à 8 bits.</translation>
    </message>
    <message>
        <source>Values of 0 … %1 were reduced to 8 bits, 0 … 255.</source>
        <translation>Les valeurs 0 … %1 ont été réduites à 8 bits, 0 … 255.</translation>
    </message>
    <message>
        <source>Values of 0 … %1 were spread over 0 … 255.</source>
        <translation>Les valeurs 0 … %1 ont été étalées sur 0 … 255.</translation>
    </message>
    <message>
        <source>The camera&apos;s turn mark (EXIF) was left alone: pixels lie as in the file.</source>
        <translation>La marque de rotation de l&apos;appareil photo (EXIF) a été ignorée&#xa0;: les pixels sont comme dans le fichier.</translation>
    </message>
    <message>
        <source>The file ends early: the pixels that are missing are filled with grey.</source>
        <translation>Le fichier finit trop tôt&#xa0;: les pixels qui manquent sont remplis de gris.</translation>
    </message>
    <message>
        <source>%1 folders are the classes 0 to %2, in the order of their names.</source>
        <translation>%1 dossiers sont les classes 0 à %2, dans l&apos;ordre de leurs noms.</translation>
    </message>
    <message>
        <source>%1 pictures of other sizes were left out; most have %2.</source>
        <translation>%1 images d&apos;autres tailles ont été laissées de côté&#xa0;; la plupart font %2.</translation>
    </message>
    <message>
        <source>%1 pictures could not be read.</source>
        <translation>%1 images n&apos;ont pas pu être lues.</translation>
    </message>
    <message>
        <source>%1 other files were passed over.</source>
        <translation>%1 autres fichiers ont été passés.</translation>
    </message>
    <message>
        <source>it is no file, or comes and goes</source>
        <translation>ce n&apos;est pas un fichier, ou il va et vient</translation>
    </message>
    <message>
        <source>GPU not used yet</source>
        <translation>GPU pas encore utilisé</translation>
    </message>
    <message>
        <source>no GPU found</source>
        <translation>aucun GPU trouvé</translation>
    </message>
    <message>
        <source>and %1 more.</source>
        <translation>et %1 de plus.</translation>
    </message>
    <message>
        <source>%L1 of %2 values do not fit into %3: each became another value, as in PyTorch.</source>
        <translation>%L1 valeurs sur %2 ne tiennent pas dans %3&#xa0;: chacune en est devenue une autre, comme dans PyTorch.</translation>
    </message>
    <message>
        <source>the first %1</source>
        <translation>les %1 premiers</translation>
    </message>
    <message>
        <source>Warning: %1 changed on disk while it was read: </source>
        <translation>Attention&#xa0;: %1 a changé sur le disque pendant sa lecture&#xa0;: </translation>
    </message>
    <message>
        <source>it has %L1 bytes now and had %L2; values beyond its end read as 0.</source>
        <translation>il a maintenant %L1 octets et en avait %L2&#xa0;; au-delà de sa fin on lit 0.</translation>
    </message>
    <message>
        <source>values may be a mixture of old and new ones.</source>
        <translation>les valeurs peuvent mêler l&apos;ancien et le nouveau.</translation>
    </message>
    <message>
        <source> Open it again to see what it holds now.
</source>
        <translation> Ouvrez-le de nouveau pour voir ce qu&apos;il contient maintenant.
</translation>
    </message>
    <message>
        <source>%1 is %2 itself: nothing was made.</source>
        <translation>%1 est %2 lui-même&#xa0;: rien n&apos;a été fait.</translation>
    </message>
    <message>
        <source>%1 has %2 tensors; take one by its number: %1[0].</source>
        <translation>%1 contient %2 tenseurs&#xa0;; prenez-en un par son numéro&#xa0;: %1[0].</translation>
    </message>
    <message>
        <source>%1 of values were overwritten, wholly or in part, and were too large to keep.</source>
        <translation>%1 de valeurs ont été écrasées, en tout ou en partie, et étaient trop grandes pour être gardées.</translation>
    </message>
    <message>
        <source>%1 is gone; its storage is kept by %2.</source>
        <translation>%1 n&apos;existe plus&#xa0;; son stockage est gardé par %2.</translation>
    </message>
    <message>
        <source>none of the first %1 changes</source>
        <translation>aucun des %1 premiers ne change</translation>
    </message>
    <message>
        <source>%1 rounded</source>
        <translation>%1 arrondis</translation>
    </message>
    <message>
        <source>%1 lose the imaginary part</source>
        <translation>%1 perdent la partie imaginaire</translation>
    </message>
    <message>
        <source>%1 out of range</source>
        <translation>%1 hors des bornes</translation>
    </message>
    <message>
        <source>%1 of %2 change: %3</source>
        <translation>%1 sur %2 changent&#xa0;: %3</translation>
    </message>
    <message>
        <source>%1 of the first %2 change: %3</source>
        <translation>%1 des %2 premiers changent&#xa0;: %3</translation>
    </message>
    <message>
        <source>%1 comes with step %2, which was undone: %3</source>
        <translation>%1 vient avec l&apos;étape %2, qui a été annulée&#xa0;: %3</translation>
    </message>
    <message>
        <source>Redo it</source>
        <translation>La rétablir</translation>
    </message>
    <message>
        <source>%1 was there until step %2: %3</source>
        <translation>%1 était là jusqu&apos;à l&apos;étape %2&#xa0;: %3</translation>
    </message>
    <message>
        <source>Undo that</source>
        <translation>Annuler cette étape</translation>
    </message>
    <message>
        <source>Go back to before that</source>
        <translation>Revenir avant cette étape</translation>
    </message>
    <message>
        <source>Did you mean %1?</source>
        <translation>Vouliez-vous dire %1&#xa0;?</translation>
    </message>
    <message>
        <source>Write %1</source>
        <translation>Écrire %1</translation>
    </message>
    <message>
        <source>the new %1</source>
        <translation>le nouveau %1</translation>
    </message>
    <message>
        <source>Its tensors are too large to be copied for a picture.</source>
        <translation>Ses tenseurs sont trop grands pour être copiés pour une image.</translation>
    </message>
    <message>
        <source>It moves too many elements to be carried out again for a picture.</source>
        <translation>Elle déplace trop d&apos;éléments pour être exécutée de nouveau pour une image.</translation>
    </message>
    <message>
        <source>It has no operation that could be played.</source>
        <translation>Elle n&apos;a aucune opération qui puisse être jouée.</translation>
    </message>
    <message>
        <source>Opened as unverified: it is not the file that was published.</source>
        <translation>Ouvert sans vérification&#xa0;: ce n&apos;est pas le fichier publié.</translation>
    </message>
    <message>
        <source>1 picture of another size was left out; most have %1.</source>
        <translation>1 image d&apos;une autre taille a été laissée de côté&#xa0;; la plupart ont %1.</translation>
    </message>
    <message>
        <source>1 picture could not be read.</source>
        <translation>1 image n&apos;a pas pu être lue.</translation>
    </message>
    <message>
        <source>1 other file was passed over.</source>
        <translation>1 autre fichier a été ignoré.</translation>
    </message>
</context>
<context>
    <name>Settings</name>
    <message>
        <source>%1 cannot be made.</source>
        <translation>%1 ne peut être fait.</translation>
    </message>
    <message>
        <source>There is no home directory: settings are kept in memory only.</source>
        <translation>Il n&apos;y a pas de dossier personnel&#xa0;: les réglages restent en mémoire.</translation>
    </message>
    <message>
        <source>The settings could not be read; this start uses the defaults.</source>
        <translation>Les réglages n&apos;ont pas pu être lus&#xa0;; ce démarrage prend les valeurs par défaut.</translation>
    </message>
    <message>
        <source>The settings file is damaged; this start uses the defaults.</source>
        <translation>Le fichier des réglages est abîmé&#xa0;; ce démarrage prend les valeurs par défaut.</translation>
    </message>
    <message>
        <source>Settings are kept in memory only: %1</source>
        <translation>Les réglages restent en mémoire&#xa0;: %1</translation>
    </message>
</context>
<context>
    <name>StageHelp</name>
    <message>
        <source>offset %1</source>
        <translation>offset %1</translation>
    </message>
    <message>
        <source>storage index = %1 = %2</source>
        <translation>indice de stockage = %1 = %2</translation>
    </message>
    <message>
        <source>The cards are views, the strip below them is the storage that they share: the same cell has the same ring everywhere.</source>
        <translation>Les cartes sont des vues, la bande en dessous est le stockage qu&apos;elles partagent&#xa0;: la même case a partout le même anneau.</translation>
    </message>
    <message>
        <source>Picked: %1</source>
        <translation>Choisi&#xa0;: %1</translation>
    </message>
    <message>
        <source>No cell is picked: click one, or press an arrow key.</source>
        <translation>Aucune case n&apos;est choisie&#xa0;: cliquez-en une, ou pressez une flèche.</translation>
    </message>
    <message>
        <source>Tab: next card, then the strip. Arrows: move the pick. Ctrl+Left, Ctrl+Right: the third dim from inside, on a picture the colour of the pixel; Ctrl+Up, Ctrl+Down: the fourth. Ctrl+PgDown, Ctrl+PgUp: the next slice, the one before. Enter: edit its value. Ctrl+G: go to an index. Esc: leave.</source>
        <translation>Tab&#xa0;: carte suivante, puis la bande. Flèches&#xa0;: déplacer le choix. Ctrl+Gauche, Ctrl+Droite&#xa0;: la troisième dim depuis l&apos;intérieur, sur une image la couleur du pixel&#xa0;; Ctrl+Haut, Ctrl+Bas&#xa0;: la quatrième. Ctrl+Page suiv., Ctrl+Page préc.&#xa0;: la tranche suivante, la précédente. Entrée&#xa0;: modifier la valeur. Ctrl+G&#xa0;: aller à un indice. Échap&#xa0;: quitter.</translation>
    </message>
    <message>
        <source>Not all is in sight: the wheel over the card goes on, with Shift to the side.</source>
        <translation>Tout n&apos;est pas visible&#xa0;: la molette sur la carte fait défiler, avec Maj de côté.</translation>
    </message>
    <message>
        <source>With a cell picked, Ctrl+PgDown and Ctrl+PgUp go to the next slice and to the one before.</source>
        <translation>Avec une cellule choisie, Ctrl+Page suiv. et Ctrl+Page préc. vont à la tranche suivante et à la précédente.</translation>
    </message>
</context>
<context>
    <name>TimingRunner</name>
    <message>
        <source>there is not enough memory</source>
        <translation>il n&apos;y a pas assez de mémoire</translation>
    </message>
</context>
<context>
    <name>Whence</name>
    <message>
        <source>… %L1 more</source>
        <translation>… %L1 de plus</translation>
    </message>
    <message>
        <source>which elements of %1 had a part is not recorded</source>
        <translation>quels éléments de %1 ont eu part n&apos;est pas noté</translation>
    </message>
    <message>
        <source>one of these, chosen by their values: %1</source>
        <translation>un de ceux-ci, choisi par leurs valeurs&#xa0;: %1</translation>
    </message>
    <message>
        <source>its value was not kept</source>
        <translation>sa valeur n&apos;a pas été gardée</translation>
    </message>
    <message>
        <source>then; written to later</source>
        <translation>alors&#xa0;; écrit plus tard</translation>
    </message>
    <message>
        <source>gone</source>
        <translation>disparu</translation>
    </message>
    <message>
        <source>had no name</source>
        <translation>n&apos;avait pas de nom</translation>
    </message>
    <message>
        <source>the same cell: %1</source>
        <translation>la même case&#xa0;: %1</translation>
    </message>
    <message>
        <source>written by &quot;%1&quot;, which recorded no operation (NumPy does not)</source>
        <translation>écrit par «&#xa0;%1&#xa0;», qui n&apos;a noté aucune opération (NumPy ne le fait pas)</translation>
    </message>
    <message>
        <source>the operations of &quot;%1&quot; were too many to keep</source>
        <translation>les opérations de «&#xa0;%1&#xa0;» étaient trop nombreuses pour être gardées</translation>
    </message>
    <message>
        <source>came with &quot;%1&quot;</source>
        <translation>venu avec «&#xa0;%1&#xa0;»</translation>
    </message>
    <message>
        <source>older than the history</source>
        <translation>plus ancien que l&apos;historique</translation>
    </message>
    <message>
        <source>chosen by %1: %2</source>
        <translation>choisi par %1&#xa0;: %2</translation>
    </message>
    <message>
        <source>the elements that are equal to it: %1</source>
        <translation>les éléments qui lui sont égaux&#xa0;: %1</translation>
    </message>
</context>
<context>
    <name>Words</name>
    <message>
        <source>1 element</source>
        <translation>1 élément</translation>
    </message>
    <message>
        <source>%1 elements</source>
        <translation>%1 éléments</translation>
    </message>
    <message>
        <source>view</source>
        <translation>vue</translation>
    </message>
    <message>
        <source>copy</source>
        <translation>copie</translation>
    </message>
    <message>
        <source>base</source>
        <translation>base</translation>
    </message>
    <message>
        <source>view of %1</source>
        <translation>vue de %1</translation>
    </message>
    <message>
        <source>copy of %1</source>
        <translation>copie de %1</translation>
    </message>
</context>
<context>
    <name>stridescope</name>
    <message>
        <source>Part</source>
        <translation>Partie</translation>
    </message>
    <message>
        <source>Order</source>
        <translation>Ordre</translation>
    </message>
    <message>
        <source>Values</source>
        <translation>Valeurs</translation>
    </message>
    <message>
        <source>Colour</source>
        <translation>Couleur</translation>
    </message>
    <message>
        <source>Mistakes</source>
        <translation>Erreurs</translation>
    </message>
    <message>
        <source>The first %1 images</source>
        <translation>Les %1 premières images</translation>
    </message>
    <message>
        <source>Crop to the middle</source>
        <translation>Recadrer au milieu</translation>
    </message>
    <message>
        <source>Every second pixel</source>
        <translation>Un pixel sur deux</translation>
    </message>
    <message>
        <source>Every second image</source>
        <translation>Une image sur deux</translation>
    </message>
    <message>
        <source>Transpose rows and columns</source>
        <translation>Transposer lignes et colonnes</translation>
    </message>
    <message>
        <source>Channels last (NHWC)</source>
        <translation>Canaux en dernier (NHWC)</translation>
    </message>
    <message>
        <source>Flip left and right</source>
        <translation>Retourner gauche-droite</translation>
    </message>
    <message>
        <source>Flip top and bottom</source>
        <translation>Retourner haut-bas</translation>
    </message>
    <message>
        <source>Contiguous</source>
        <translation>Contigu</translation>
    </message>
    <message>
        <source>To float</source>
        <translation>En float</translation>
    </message>
    <message>
        <source>Divide by 255</source>
        <translation>Diviser par 255</translation>
    </message>
    <message>
        <source>0 … 1 to -1 … 1</source>
        <translation>0 … 1 vers -1 … 1</translation>
    </message>
    <message>
        <source>Brighter</source>
        <translation>Plus clair</translation>
    </message>
    <message>
        <source>More contrast</source>
        <translation>Plus de contraste</translation>
    </message>
    <message>
        <source>Normalise by CIFAR-10&apos;s channels</source>
        <translation>Normaliser par les canaux de CIFAR-10</translation>
    </message>
    <message>
        <source>Undo that normalisation</source>
        <translation>Défaire cette normalisation</translation>
    </message>
    <message>
        <source>Normalise by these images&apos; channels</source>
        <translation>Normaliser par les canaux de ces images</translation>
    </message>
    <message>
        <source>Swap %1 and %2</source>
        <translation>Échanger %1 et %2</translation>
    </message>
    <message>
        <source>Grey (mean of the channels)</source>
        <translation>Gris (moyenne des canaux)</translation>
    </message>
    <message>
        <source>Difference to the image before</source>
        <translation>Différence avec l&apos;image précédente</translation>
    </message>
    <message>
        <source>view where permute was meant</source>
        <translation>view là où il fallait permute</translation>
    </message>
    <message>
        <source>Height, width, channels taken for channels, height, width</source>
        <translation>Hauteur, largeur, canaux pris pour canaux, hauteur, largeur</translation>
    </message>
    <message>
        <source>Red and blue swapped (BGR)</source>
        <translation>Rouge et bleu échangés (BGR)</translation>
    </message>
    <message>
        <source>Floats that are not between 0 and 1</source>
        <translation>Des floats qui ne sont pas entre 0 et 1</translation>
    </message>
    <message>
        <source>start</source>
        <translation>départ</translation>
    </message>
    <message>
        <source>length</source>
        <translation>longueur</translation>
    </message>
    <message>
        <source>contrast</source>
        <translation>contraste</translation>
    </message>
    <message>
        <source>times</source>
        <translation>fois</translation>
    </message>
    <message>
        <source>divided by</source>
        <translation>divisé par</translation>
    </message>
    <message>
        <source>filled with</source>
        <translation>rempli de</translation>
    </message>
    <message>
        <source>brighter by</source>
        <translation>plus clair de</translation>
    </message>
    <message>
        <source>less</source>
        <translation>moins</translation>
    </message>
    <message>
        <source>Explore</source>
        <translation>Explorer</translation>
    </message>
    <message>
        <source>Tensors as cards above the storage that they are views of.</source>
        <translation>Les tenseurs en cartes, au-dessus du stockage dont ils sont des vues.</translation>
    </message>
    <message>
        <source>Broadcast</source>
        <translation>Diffusion</translation>
    </message>
    <message>
        <source>How sizes meet in a pointwise operation, stage by stage.</source>
        <translation>Comment les tailles se rencontrent dans une opération élément par élément (broadcasting), étape par étape.</translation>
    </message>
    <message>
        <source>Images</source>
        <translation>Images</translation>
    </message>
    <message>
        <source>Images as a grid, operations on them as a list, and the picked pixel down to its bytes.</source>
        <translation>Des images en grille, des opérations sur elles en liste, et le pixel choisi jusqu&apos;à ses octets.</translation>
    </message>
    <message>
        <source>Timing</source>
        <translation>Temps</translation>
    </message>
    <message>
        <source>Times over size, measured so that they can be trusted, and the ways to measure wrongly.</source>
        <translation>Des temps selon la taille, mesurés de façon à pouvoir s&apos;y fier, et les façons de mal mesurer.</translation>
    </message>
    <message>
        <source>Lessons</source>
        <translation>Leçons</translation>
    </message>
    <message>
        <source>Lessons with questions that are answered before the answer is shown, and views to build.</source>
        <translation>Des leçons avec des questions auxquelles on répond avant de voir la réponse, et des vues à construire.</translation>
    </message>
    <message>
        <source>Motion</source>
        <translation>Mouvement</translation>
    </message>
    <message>
        <source>Operations of the history, played: which cells go where.</source>
        <translation>Les opérations de l&apos;historique, jouées&#xa0;: quelles cases vont où.</translation>
    </message>
    <message>
        <source>%1 is refused: its inputs live on two devices</source>
        <translation>%1 est refusé&#xa0;: ses entrées vivent sur deux appareils</translation>
    </message>
    <message>
        <source>moves %1</source>
        <translation>déplace %1</translation>
    </message>
    <message>
        <source>%1 has not so much memory free</source>
        <translation>%1 n&apos;a pas autant de mémoire libre</translation>
    </message>
    <message>
        <source>frees %1</source>
        <translation>libère %1</translation>
    </message>
    <message>
        <source>%1 has failed, and stays so</source>
        <translation>%1 est en panne, et le reste</translation>
    </message>
    <message>
        <source>tensors on it are lost</source>
        <translation>les tenseurs qui y sont sont perdus</translation>
    </message>
    <message>
        <source>%1 is refused: the tensor is lost</source>
        <translation>%1 est refusé&#xa0;: le tenseur est perdu</translation>
    </message>
    <message>
        <source>Devices</source>
        <translation>Appareils</translation>
    </message>
    <message>
        <source>Which tensors live on which device, what travels between them, and what waits in their queues.</source>
        <translation>Quels tenseurs vivent sur quel appareil, ce qui voyage entre eux, et ce qui attend dans leurs files.</translation>
    </message>
    <message>
        <source>Channels last (HWC)</source>
        <translation>Canaux à la fin (HWC)</translation>
    </message>
    <message>
        <source>view keeps the order of the elements and cuts it elsewhere: colours of one pixel land in three places.</source>
        <translation>view garde l&apos;ordre des éléments et le coupe ailleurs&#xa0;: les couleurs d&apos;un pixel tombent à trois endroits.</translation>
    </message>
    <message>
        <source>%1 moves the strides with the sizes.</source>
        <translation>%1 déplace les strides avec les tailles.</translation>
    </message>
    <message>
        <source>the last dim is the channels, but is drawn as columns: %1 channels of %2 × %3 pixels.</source>
        <translation>la dernière dimension est celle des canaux, mais elle est dessinée en colonnes&#xa0;: %1 canaux de %2 × %3 pixels.</translation>
    </message>
    <message>
        <source>%1 brings the channels before rows and columns.</source>
        <translation>%1 met les canaux avant les lignes et les colonnes.</translation>
    </message>
    <message>
        <source>other libraries keep blue first; read as red, it changes places with red.</source>
        <translation>d&apos;autres bibliothèques rangent le bleu en premier&#xa0;; lu comme rouge, il change de place avec lui.</translation>
    </message>
    <message>
        <source>red, green, blue; flip(%1) turns one order into the other.</source>
        <translation>rouge, vert, bleu&#xa0;; flip(%1) change un ordre en l&apos;autre.</translation>
    </message>
    <message>
        <source>floats are drawn and saved from 0 to 1: what is above 1 is cut off to white.</source>
        <translation>les flottants sont dessinés et enregistrés de 0 à 1&#xa0;: au-dessus de 1, tout devient blanc.</translation>
    </message>
    <message>
        <source>bytes, or floats after div(255).</source>
        <translation>des octets, ou des flottants après div(255).</translation>
    </message>
</context>
<context>
    <name>stridescope::AboutDialog</name>
    <message>
        <source>About Stridescope</source>
        <translation>À propos de Stridescope</translation>
    </message>
    <message>
        <source>Stridescope shows what a tensor is: one storage, and the views on it.</source>
        <translation>Stridescope montre ce qu&apos;est un tenseur&#xa0;: un stockage, et les vues sur lui.</translation>
    </message>
    <message>
        <source>Facts for a report</source>
        <translation>Données pour un rapport</translation>
    </message>
    <message>
        <source>Copy facts</source>
        <translation>Copier les données</translation>
    </message>
</context>
<context>
    <name>stridescope::AxisChips</name>
    <message>
        <source>Dims</source>
        <translation>Dims</translation>
    </message>
    <message>
        <source>Drag a dim onto another to transpose the two, or press Ctrl with an arrow.</source>
        <translation>Glissez une dim sur une autre pour les transposer, ou Ctrl avec une flèche.</translation>
    </message>
    <message>
        <source>dim %1: size %2, stride %3</source>
        <translation>dim %1&#xa0;: size %2, stride %3</translation>
    </message>
    <message>
        <source>dim %1 · %2</source>
        <translation>dim %1 · %2</translation>
    </message>
    <message>
        <source>stride %1</source>
        <translation>stride %1</translation>
    </message>
</context>
<context>
    <name>stridescope::BroadcastBar</name>
    <message>
        <source>Run</source>
        <translation>Lancer</translation>
    </message>
    <message>
        <source>Line that is drawn</source>
        <translation>Ligne qui est dessinée</translation>
    </message>
    <message>
        <source>A + B</source>
        <translation>A + B</translation>
    </message>
    <message>
        <source>Any pointwise line of two to four tensors, typed or from the workspace</source>
        <translation>Toute ligne élément par élément de deux à quatre tenseurs, tapée ou de l&apos;espace de travail</translation>
    </message>
    <message>
        <source>Predict first</source>
        <translation>Prédire d&apos;abord</translation>
    </message>
    <message>
        <source>Say what comes out before it is shown</source>
        <translation>Dites ce qui sort avant que ce soit montré</translation>
    </message>
    <message>
        <source>Examples</source>
        <translation>Exemples</translation>
    </message>
    <message>
        <source>Operand %1</source>
        <translation>Opérande %1</translation>
    </message>
    <message>
        <source>A tensor of the workspace, a shape such as (3, 1), elements such as [1, 2], or code</source>
        <translation>Un tenseur de l&apos;espace de travail, une shape comme (3, 1), des éléments comme [1, 2], ou du code</translation>
    </message>
    <message>
        <source>new %1</source>
        <translation>nouveau %1</translation>
    </message>
    <message>
        <source>Operator</source>
        <translation>Opérateur</translation>
    </message>
    <message>
        <source>✗ refused</source>
        <translation>✗ refusé</translation>
    </message>
    <message>
        <source>Nothing stretches</source>
        <translation>Rien ne s&apos;étire</translation>
    </message>
    <message>
        <source>Same as %1</source>
        <translation>Comme %1</translation>
    </message>
    <message>
        <source>A column and a row</source>
        <translation>Une colonne et une ligne</translation>
    </message>
    <message>
        <source>A row to every row</source>
        <translation>Une ligne à chaque ligne</translation>
    </message>
    <message>
        <source>Sizes that do not fit</source>
        <translation>Des tailles qui ne conviennent pas</translation>
    </message>
    <message>
        <source>The silent bug: (3,) - (3, 1)</source>
        <translation>L&apos;erreur muette&#xa0;: (3,) - (3, 1)</translation>
    </message>
    <message>
        <source>Rows that add up to 1</source>
        <translation>Des lignes de somme 1</translation>
    </message>
    <message>
        <source>A chain: a * b + a</source>
        <translation>Une chaîne&#xa0;: a * b + a</translation>
    </message>
    <message>
        <source>Mixed dtypes</source>
        <translation>Des dtypes mêlés</translation>
    </message>
    <message>
        <source>Three dims</source>
        <translation>Trois dims</translation>
    </message>
    <message>
        <source>Powers: a column ** a row</source>
        <translation>Puissances&#xa0;: une colonne ** une ligne</translation>
    </message>
    <message>
        <source>Both true: masks with &amp;</source>
        <translation>Les deux vrais&#xa0;: des masques avec &amp;</translation>
    </message>
    <message>
        <source>A function of two: maximum</source>
        <translation>Une fonction de deux&#xa0;: maximum</translation>
    </message>
    <message>
        <source>In place, with room</source>
        <translation>En place, avec de la place</translation>
    </message>
    <message>
        <source>In place, without room</source>
        <translation>En place, sans place</translation>
    </message>
    <message>
        <source>Three tensors: where</source>
        <translation>Trois tenseurs : where</translation>
    </message>
    <message>
        <source>Between limits of each row: clamp</source>
        <translation>Entre les bornes de chaque ligne : clamp</translation>
    </message>
</context>
<context>
    <name>stridescope::BroadcastPage</name>
    <message>
        <source>Shapes</source>
        <translation>Shapes</translation>
    </message>
    <message>
        <source>Prepend</source>
        <translation>Compléter</translation>
    </message>
    <message>
        <source>Stretch</source>
        <translation>Étirer</translation>
    </message>
    <message>
        <source>Compute</source>
        <translation>Calculer</translation>
    </message>
</context>
<context>
    <name>stridescope::BroadcastScreen</name>
    <message>
        <source>Broadcast</source>
        <translation>Diffusion</translation>
    </message>
    <message>
        <source>How sizes meet in a pointwise operation, in four stages. Space plays, Left and Right step, Home and End go to the ends; click a cell for its sources.</source>
        <translation>Comment les tailles se rencontrent dans une opération élément par élément, en quatre étapes. Espace joue, Gauche et Droite avancent d&apos;un pas, Début et Fin vont aux bouts&#xa0;; cliquez une case pour voir ses sources.</translation>
    </message>
    <message>
        <source>1 Shapes</source>
        <translation>1 Shapes</translation>
    </message>
    <message>
        <source>2 Prepend</source>
        <translation>2 Compléter</translation>
    </message>
    <message>
        <source>3 Stretch</source>
        <translation>3 Étirer</translation>
    </message>
    <message>
        <source>4 Compute</source>
        <translation>4 Calculer</translation>
    </message>
    <message>
        <source>(2, 3), or refused</source>
        <translation>(2, 3), ou refusé</translation>
    </message>
    <message>
        <source>2, 0</source>
        <translation>2, 0</translation>
    </message>
    <message>
        <source>Next question</source>
        <translation>Question suivante</translation>
    </message>
    <message>
        <source>Watch it</source>
        <translation>Voir</translation>
    </message>
    <message>
        <source>2, 0, or click its cell</source>
        <translation>2, 0, ou cliquez sa case</translation>
    </message>
    <message>
        <source>Would be: %1, %2</source>
        <translation>Serait&#xa0;: %1, %2</translation>
    </message>
    <message>
        <source>storage #%1</source>
        <translation>stockage #%1</translation>
    </message>
    <message>
        <source>temporary</source>
        <translation>temporaire</translation>
    </message>
    <message>
        <source>%1: %2 index %3</source>
        <translation>%1&#xa0;: %2 indice %3</translation>
    </message>
    <message>
        <source>Enter: %1</source>
        <translation>Entrée&#xa0;: %1</translation>
    </message>
    <message>
        <source>Show in Explore</source>
        <translation>Montrer dans Explorer</translation>
    </message>
    <message>
        <source>Copy as table</source>
        <translation>Copier en tableau</translation>
    </message>
    <message>
        <source>Copy as code</source>
        <translation>Copier le code</translation>
    </message>
    <message>
        <source>Copy picture as PNG</source>
        <translation>Copier l&apos;image en PNG</translation>
    </message>
    <message>
        <source>Copy picture as SVG</source>
        <translation>Copier l&apos;image en SVG</translation>
    </message>
    <message>
        <source>Copy picture as TikZ</source>
        <translation>Copier l&apos;image en TikZ</translation>
    </message>
    <message>
        <source>Export picture…</source>
        <translation>Exporter l&apos;image…</translation>
    </message>
    <message>
        <source>Play it as a motion</source>
        <translation>La jouer en mouvement</translation>
    </message>
    <message>
        <source>It is carried out on copies: nothing that you have is written</source>
        <translation>Elle est exécutée sur des copies&#xa0;: rien de ce que vous avez n&apos;est modifié</translation>
    </message>
</context>
<context>
    <name>stridescope::BroadcastView</name>
    <message>
        <source>No picture of this line</source>
        <translation>Pas d&apos;image pour cette ligne</translation>
    </message>
</context>
<context>
    <name>stridescope::CallTip</name>
    <message>
        <source>… and %1 more forms</source>
        <translation>… et %1 formes de plus</translation>
    </message>
</context>
<context>
    <name>stridescope::CodeAssistant</name>
    <message>
        <source>Nothing is known that could stand here</source>
        <translation>On ne connaît rien qui puisse être ici</translation>
    </message>
    <message>
        <source>Python is busy: more is known at its end</source>
        <translation>Python est occupé&#xa0;: on en saura plus à la fin</translation>
    </message>
    <message>
        <source>Python is starting: more is known in a moment</source>
        <translation>Python démarre&#xa0;: on en saura plus dans un moment</translation>
    </message>
</context>
<context>
    <name>stridescope::CodeLabel</name>
    <message>
        <source>Copy</source>
        <translation>Copier</translation>
    </message>
    <message>
        <source>Copy all</source>
        <translation>Tout copier</translation>
    </message>
</context>
<context>
    <name>stridescope::CommandPalette</name>
    <message>
        <source>Commands</source>
        <translation>Commandes</translation>
    </message>
    <message>
        <source>Search commands</source>
        <translation>Chercher une commande</translation>
    </message>
    <message>
        <source>Matching commands</source>
        <translation>Commandes trouvées</translation>
    </message>
    <message>
        <source>No command of that name.</source>
        <translation>Aucune commande de ce nom.</translation>
    </message>
</context>
<context>
    <name>stridescope::CompletionList</name>
    <message>
        <source>Completions</source>
        <translation>Complétions</translation>
    </message>
    <message>
        <source>%1%2, %3</source>
        <translation>%1%2, %3</translation>
    </message>
</context>
<context>
    <name>stridescope::Console</name>
    <message>
        <source>Console</source>
        <translation>Console</translation>
    </message>
    <message>
        <source>Lines and what they printed</source>
        <translation>Lignes et ce qu&apos;elles ont affiché</translation>
    </message>
    <message>
        <source>Line of code</source>
        <translation>Ligne de code</translation>
    </message>
    <message>
        <source>Python</source>
        <translation>Python</translation>
    </message>
    <message>
        <source>Run lines in Python: loops, functions, imports. Tensors stay the same ones.</source>
        <translation>Exécuter les lignes en Python&#xa0;: boucles, fonctions, imports. Les tenseurs restent les mêmes.</translation>
    </message>
    <message>
        <source>Run lines in Python</source>
        <translation>Exécuter les lignes en Python</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>Arrêter</translation>
    </message>
    <message>
        <source>Stop the line that is being carried out: Ctrl+C at the prompt, with nothing selected</source>
        <translation>Arrêter la ligne en cours&#xa0;: Ctrl+C à l&apos;invite, sans rien de sélectionné</translation>
    </message>
    <message>
        <source>Stop the line</source>
        <translation>Arrêter la ligne</translation>
    </message>
    <message>
        <source>type the answer, then Enter; Ctrl+D for no more</source>
        <translation>tapez la réponse, puis Entrée&#xa0;; Ctrl+D s&apos;il n&apos;y en a plus</translation>
    </message>
    <message>
        <source>type a line, for example  D = A[::2]</source>
        <translation>tapez une ligne, par exemple  D = A[::2]</translation>
    </message>
    <message>
        <source>answer</source>
        <translation>réponse</translation>
    </message>
    <message>
        <source>type a line</source>
        <translation>tapez une ligne</translation>
    </message>
    <message>
        <source> … %1 more characters</source>
        <translation> … %1 caractères de plus</translation>
    </message>
    <message>
        <source>Python %1</source>
        <translation>Python %1</translation>
    </message>
</context>
<context>
    <name>stridescope::DevicesPage</name>
    <message>
        <source>Devices</source>
        <translation>Appareils</translation>
    </message>
    <message>
        <source>Who lives where</source>
        <translation>Qui vit où</translation>
    </message>
    <message>
        <source>Refused</source>
        <translation>Refusé</translation>
    </message>
    <message>
        <source>Queued and run</source>
        <translation>Mis en file et exécuté</translation>
    </message>
</context>
<context>
    <name>stridescope::DevicesSetup</name>
    <message>
        <source>Simulated device</source>
        <translation>Appareil simulé</translation>
    </message>
    <message>
        <source>It has memory and queues of its own, on this CPU. It shows what a GPU does, and not how fast one is.</source>
        <translation>Il a une mémoire et des files à lui, sur ce CPU. Il montre ce que fait un GPU, et non à quelle vitesse.</translation>
    </message>
    <message>
        <source>devices</source>
        <translation>appareils</translation>
    </message>
    <message>
        <source>how many</source>
        <translation>combien</translation>
    </message>
    <message>
        <source>memory</source>
        <translation>mémoire</translation>
    </message>
    <message>
        <source>MB each</source>
        <translation>Mo pour chacun</translation>
    </message>
    <message>
        <source>link</source>
        <translation>lien</translation>
    </message>
    <message>
        <source>MB/s; 0 is no limit</source>
        <translation>Mo/s, 0&#xa0;: libre</translation>
    </message>
    <message>
        <source>launch</source>
        <translation>lancement</translation>
    </message>
    <message>
        <source>ms before each</source>
        <translation>ms avant chacun</translation>
    </message>
    <message>
        <source>The line of code</source>
        <translation>La ligne de code</translation>
    </message>
    <message>
        <source>Switch on</source>
        <translation>Activer</translation>
    </message>
    <message>
        <source>Runs the line above in Python</source>
        <translation>Exécute la ligne ci-dessus en Python</translation>
    </message>
    <message>
        <source>Switch off</source>
        <translation>Désactiver</translation>
    </message>
    <message>
        <source>torch.sim.disable(): tensors on them are lost</source>
        <translation>torch.sim.disable()&#xa0;: les tenseurs qui y sont sont perdus</translation>
    </message>
    <message>
        <source>Start anew</source>
        <translation>Redémarrer</translation>
    </message>
    <message>
        <source>After an error that stays</source>
        <translation>Après une erreur qui reste</translation>
    </message>
    <message>
        <source>Lines to try</source>
        <translation>Lignes à essayer</translation>
    </message>
    <message>
        <source>Runs it in Python</source>
        <translation>L&apos;exécute en Python</translation>
    </message>
    <message>
        <source>Switch on anew</source>
        <translation>Réactiver</translation>
    </message>
    <message>
        <source>Start %1 anew</source>
        <translation>Redémarrer %1</translation>
    </message>
    <message>
        <source>Switching on anew takes away what is on it.</source>
        <translation>Réactiver enlève ce qui s&apos;y trouve.</translation>
    </message>
</context>
<context>
    <name>stridescope::DevicesView</name>
    <message>
        <source>Devices</source>
        <translation>Appareils</translation>
    </message>
    <message>
        <source>Which tensors live on which device, what travels between them, and two lanes for each: when a call was made, and when the device did it. Up and Down go through the parts, Space plays, Left and Right step, Tab goes on to the lines that can be run, Enter runs one.</source>
        <translation>Quels tenseurs vivent sur quel appareil, ce qui voyage entre eux, et deux pistes pour chacun&#xa0;: quand un appel a été fait, et quand l&apos;appareil l&apos;a exécuté. Haut et Bas parcourent les parties, Espace joue, Gauche et Droite avancent d&apos;un pas, Tab passe aux lignes que l&apos;on peut lancer, Entrée en lance une.</translation>
    </message>
</context>
<context>
    <name>stridescope::Download</name>
    <message>
        <source>%1 is not fetched: only https is.</source>
        <translation>%1 n&apos;est pas chargé&#xa0;: seulement https.</translation>
    </message>
    <message>
        <source>%1 sends it packed as %2, which was not asked for.</source>
        <translation>%1 l&apos;envoie compressé en %2, ce qui n&apos;était pas demandé.</translation>
    </message>
    <message>
        <source>%1 has %2 bytes, %3 are wanted.</source>
        <translation>%1 a %2 octets, il en faut %3.</translation>
    </message>
    <message>
        <source>%1 cannot be written: %2.</source>
        <translation>%1 ne peut être écrit&#xa0;: %2.</translation>
    </message>
    <message>
        <source>%1 sends more than the %2 bytes that are wanted.</source>
        <translation>%1 envoie plus que les %2 octets voulus.</translation>
    </message>
    <message>
        <source>The disk is full, or the file cannot be written: %1. What came was removed.</source>
        <translation>Le disque est plein, ou le fichier ne peut être écrit&#xa0;: %1. Ce qui était arrivé a été effacé.</translation>
    </message>
    <message>
        <source>%1 leads to an address that is not https; it is not followed.</source>
        <translation>%1 mène à une adresse qui n&apos;est pas https&#xa0;; elle n&apos;est pas suivie.</translation>
    </message>
    <message>
        <source>%1 leads in circles.</source>
        <translation>%1 tourne en rond.</translation>
    </message>
    <message>
        <source>%1 could not prove who it is: %2.</source>
        <translation>%1 n&apos;a pas pu prouver son identité&#xa0;: %2.</translation>
    </message>
    <message>
        <source>%1 answered %2. Choose a file that you have instead.</source>
        <translation>%1 a répondu %2. Choisissez plutôt un fichier que vous avez.</translation>
    </message>
    <message>
        <source>Could not reach %1: %2. Choose a file that you have instead.</source>
        <translation>%1 n&apos;a pas pu être joint&#xa0;: %2. Choisissez plutôt un fichier que vous avez.</translation>
    </message>
    <message>
        <source>The download from %1 ended after %2 of %3 bytes; the next one goes on from there.</source>
        <translation>Le téléchargement depuis %1 s&apos;est arrêté après %2 octets sur %3&#xa0;; le prochain continue de là.</translation>
    </message>
    <message>
        <source>%1 has MD5 %2, published is %3; it was removed.</source>
        <translation>%1 a le MD5 %2, celui qui est publié est %3&#xa0;; il a été effacé.</translation>
    </message>
    <message>
        <source>%1 could not get its name.</source>
        <translation>%1 n&apos;a pas pu recevoir son nom.</translation>
    </message>
    <message>
        <source>Stopped. What came is kept: the next download goes on from there.</source>
        <translation>Arrêté. Ce qui est arrivé est gardé&#xa0;: le prochain téléchargement continue de là.</translation>
    </message>
</context>
<context>
    <name>stridescope::DownloadDialog</name>
    <message>
        <source>%1, binary version</source>
        <translation>%1, version binaire</translation>
    </message>
    <message>
        <source>%1, Python version</source>
        <translation>%1, version Python</translation>
    </message>
    <message>
        <source>Download pictures</source>
        <translation>Télécharger des images</translation>
    </message>
    <message>
        <source>Nothing is fetched before you press Download.</source>
        <translation>Rien n&apos;est chargé avant que vous n&apos;appuyiez sur «&#xa0;Télécharger&#xa0;».</translation>
    </message>
    <message>
        <source>Set</source>
        <translation>Jeu</translation>
    </message>
    <message>
        <source>Fetched is</source>
        <translation>Sera chargé</translation>
    </message>
    <message>
        <source>Browse…</source>
        <translation>Parcourir…</translation>
    </message>
    <message>
        <source>Into the folder</source>
        <translation>Dans le dossier</translation>
    </message>
    <message>
        <source>I have the file…</source>
        <translation>J&apos;ai le fichier…</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Annuler</translation>
    </message>
    <message>
        <source>Download</source>
        <translation>Télécharger</translation>
    </message>
    <message>
        <source>%1 of %2, %3 a second</source>
        <translation>%1 sur %2, %3 par seconde</translation>
    </message>
    <message>
        <source>Comparing the sum…</source>
        <translation>Comparaison de la somme…</translation>
    </message>
    <message>
        <source>%1
from the host %2
%3 (%4 bytes)
MD5 %5, compared before it is used</source>
        <translation>%1
de l&apos;hôte %2
%3 (%4 octets)
MD5 %5, comparé avant l&apos;usage</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>Ouvrir</translation>
    </message>
    <message>
        <source>Resume</source>
        <translation>Reprendre</translation>
    </message>
    <message>
        <source>The folder will be made.</source>
        <translation>Le dossier sera créé.</translation>
    </message>
    <message>
        <source>There is no such folder.</source>
        <translation>Ce dossier n&apos;existe pas.</translation>
    </message>
    <message>
        <source>The file is there already.</source>
        <translation>Le fichier est déjà là.</translation>
    </message>
    <message>
        <source>%1 are there from an earlier download.</source>
        <translation>%1 sont là d&apos;un téléchargement précédent.</translation>
    </message>
    <message>
        <source>Folder</source>
        <translation>Dossier</translation>
    </message>
    <message>
        <source>Asking %1…</source>
        <translation>Demande à %1…</translation>
    </message>
</context>
<context>
    <name>stridescope::EmptyState</name>
    <message>
        <source>Make a tensor</source>
        <translation>Faire un tenseur</translation>
    </message>
    <message>
        <source>Open…</source>
        <translation>Ouvrir…</translation>
    </message>
</context>
<context>
    <name>stridescope::ExportDialog</name>
    <message>
        <source>Export grid</source>
        <translation>Exporter la grille</translation>
    </message>
    <message>
        <source>%1 × %2 images, %3 × %4 pixels, at 1×, padding %5.</source>
        <translation>%1 × %2 images, %3 × %4 pixels, à 1×, marge %5.</translation>
    </message>
    <message>
        <source>0 … 1</source>
        <translation>0 … 1</translation>
    </message>
    <message>
        <source>0 … 255</source>
        <translation>0 … 255</translation>
    </message>
    <message>
        <source>%1 values lie below it</source>
        <translation>%1 valeurs sont en dessous</translation>
    </message>
    <message>
        <source>%1 above it</source>
        <translation>%1 au-dessus</translation>
    </message>
    <message>
        <source>%1 of these are infinite</source>
        <translation>%1 d&apos;entre elles sont infinies</translation>
    </message>
    <message>
        <source>%1 are NaN and become 0</source>
        <translation>%1 sont NaN et deviennent 0</translation>
    </message>
    <message>
        <source>⚠ A picture holds %1: %2%3.</source>
        <translation>⚠ Une image contient %1&#xa0;: %2%3.</translation>
    </message>
    <message>
        <source>about </source>
        <translation>environ </translation>
    </message>
    <message>
        <source>All values are within %1.</source>
        <translation>Toutes les valeurs sont dans %1.</translation>
    </message>
    <message>
        <source>Cut them off, as save_image does</source>
        <translation>Les couper, comme save_image</translation>
    </message>
    <message>
        <source>As they are, as save_image does</source>
        <translation>Telles quelles, comme save_image</translation>
    </message>
    <message>
        <source>Scale %1 … %2, the black and white points, to it (normalize)</source>
        <translation>Ramener %1 … %2, les points noir et blanc, à cet intervalle (normalize)</translation>
    </message>
    <message>
        <source>Scale each image from its lowest to its highest value (scale_each)</source>
        <translation>Ramener chaque image, de sa plus petite à sa plus grande valeur (scale_each)</translation>
    </message>
    <message>
        <source>The line that does the same</source>
        <translation>La ligne qui fait la même chose</translation>
    </message>
    <message>
        <source>Copy line</source>
        <translation>Copier la ligne</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Annuler</translation>
    </message>
    <message>
        <source>Save as…</source>
        <translation>Enregistrer sous…</translation>
    </message>
</context>
<context>
    <name>stridescope::FindBar</name>
    <message>
        <source>Find</source>
        <translation>Chercher</translation>
    </message>
    <message>
        <source>Find in the script</source>
        <translation>Chercher dans le script</translation>
    </message>
    <message>
        <source>Previous match (Shift+Enter)</source>
        <translation>Résultat précédent (Maj+Entrée)</translation>
    </message>
    <message>
        <source>Next match (Enter)</source>
        <translation>Résultat suivant (Entrée)</translation>
    </message>
    <message>
        <source>Close (Escape)</source>
        <translation>Fermer (Échap)</translation>
    </message>
    <message>
        <source>not found</source>
        <translation>non trouvé</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 sur %2</translation>
    </message>
</context>
<context>
    <name>stridescope::FirstRunCards</name>
    <message>
        <source>First steps</source>
        <translation>Premiers pas</translation>
    </message>
    <message>
        <source>Open data</source>
        <translation>Ouvrir des données</translation>
    </message>
    <message>
        <source>A .npy, .npz or picture file; or drop one here.</source>
        <translation>Un fichier .npy, .npz ou une image&#xa0;; ou déposez-le ici.</translation>
    </message>
    <message>
        <source>Ctrl+O</source>
        <translation>Ctrl+O</translation>
    </message>
    <message>
        <source>Type in the console</source>
        <translation>Taper dans la console</translation>
    </message>
    <message>
        <source>PyTorch&apos;s names work; the picture follows.</source>
        <translation>Les noms de PyTorch marchent&#xa0;; l&apos;image suit.</translation>
    </message>
    <message>
        <source>Ctrl+L</source>
        <translation>Ctrl+L</translation>
    </message>
    <message>
        <source>Close the first steps</source>
        <translation>Fermer les premiers pas</translation>
    </message>
    <message>
        <source>Close the first steps; Help has them</source>
        <translation>Fermer les premiers pas&#xa0;; ils sont dans l&apos;Aide</translation>
    </message>
    <message>
        <source>Start lesson 1</source>
        <translation>Commencer la leçon 1</translation>
    </message>
    <message>
        <source>Dimensions, with questions to answer.</source>
        <translation>Les dimensions, avec des questions.</translation>
    </message>
    <message>
        <source>Ctrl+5</source>
        <translation>Ctrl+5</translation>
    </message>
</context>
<context>
    <name>stridescope::GuardedApplication</name>
    <message>
        <source>there was not enough memory</source>
        <translation>il n&apos;y avait pas assez de mémoire</translation>
    </message>
    <message>
        <source>of an unknown kind</source>
        <translation>d&apos;une sorte inconnue</translation>
    </message>
</context>
<context>
    <name>stridescope::HistoryLine</name>
    <message>
        <source>History of operations</source>
        <translation>Historique des opérations</translation>
    </message>
    <message>
        <source>step %1 of %2</source>
        <translation>étape %1 sur %2</translation>
    </message>
    <message>
        <source>What you do appears here, step by step.</source>
        <translation>Ce que vous faites apparaît ici, pas à pas.</translation>
    </message>
</context>
<context>
    <name>stridescope::HistoryPanel</name>
    <message>
        <source>History</source>
        <translation>Étapes</translation>
    </message>
    <message>
        <source>To the start (Home)</source>
        <translation>Au début (Début)</translation>
    </message>
    <message>
        <source>One step back (Alt+←)</source>
        <translation>Un pas en arrière (Alt+←)</translation>
    </message>
    <message>
        <source>One step forward (Alt+→)</source>
        <translation>Un pas en avant (Alt+→)</translation>
    </message>
    <message>
        <source>To the last step (End)</source>
        <translation>À la dernière étape (Fin)</translation>
    </message>
    <message>
        <source>Play the last step as motion (F6)</source>
        <translation>Jouer la dernière étape en mouvement (F6)</translation>
    </message>
    <message>
        <source>step %1 of %2</source>
        <translation>étape %1 sur %2</translation>
    </message>
</context>
<context>
    <name>stridescope::ImageGridView</name>
    <message>
        <source>Images</source>
        <translation>Images</translation>
    </message>
</context>
<context>
    <name>stridescope::ImageSheet</name>
    <message>
        <source>There is no tensor.</source>
        <translation>Il n&apos;y a pas de tenseur.</translation>
    </message>
    <message>
        <source>The tensor is on another device; copy it first: .cpu()</source>
        <translation>Le tenseur est sur un autre appareil&#xa0;; copiez-le d&apos;abord&#xa0;: .cpu()</translation>
    </message>
    <message>
        <source>Complex numbers have no grey.</source>
        <translation>Les nombres complexes n&apos;ont pas de gris.</translation>
    </message>
    <message>
        <source>Images are (n, c, h, w), (c, h, w) or (h, w).</source>
        <translation>Les images sont (n, c, h, w), (c, h, w) ou (h, w).</translation>
    </message>
    <message>
        <source>The tensor has no elements.</source>
        <translation>Le tenseur n&apos;a pas d&apos;éléments.</translation>
    </message>
    <message>
        <source>A side of more than %1 pixels is not drawn.</source>
        <translation>Un côté de plus de %1 pixels n&apos;est pas dessiné.</translation>
    </message>
    <message>
        <source>The view reaches beyond its storage.</source>
        <translation>La vue sort de son stockage.</translation>
    </message>
</context>
<context>
    <name>stridescope::ImagesPage</name>
    <message>
        <source>No tensor of the workspace is images.</source>
        <translation>Aucun tenseur de l&apos;espace de travail n&apos;est fait d&apos;images.</translation>
    </message>
    <message>
        <source>image %1 of %2 · row %3 · column %4 · %5</source>
        <translation>image %1 sur %2 · ligne %3 · colonne %4 · %5</translation>
    </message>
</context>
<context>
    <name>stridescope::ImagesScreen</name>
    <message>
        <source>sample images…</source>
        <translation>images d&apos;exemple…</translation>
    </message>
    <message>
        <source>download…</source>
        <translation>télécharger…</translation>
    </message>
    <message>
        <source>view, +0 B</source>
        <translation>vue, +0 B</translation>
    </message>
    <message>
        <source>copy, +%1</source>
        <translation>copie, +%1</translation>
    </message>
    <message>
        <source>writes %1 values in place (%2)</source>
        <translation>écrit %1 valeurs en place (%2)</translation>
    </message>
    <message>
        <source>waits for the step above</source>
        <translation>attend l&apos;étape au-dessus</translation>
    </message>
    <message>
        <source>✗ Step %1: %2</source>
        <translation>✗ Étape %1&#xa0;: %2</translation>
    </message>
    <message>
        <source>%1 channels: make_grid takes 1 or 3. The first three are drawn.</source>
        <translation>%1 canaux&#xa0;: make_grid en prend 1 ou 3. Les trois premiers sont dessinés.</translation>
    </message>
    <message>
        <source>%1 × %2 grid</source>
        <translation>grille %1 × %2</translation>
    </message>
    <message>
        <source>picked: image %1, row %2, column %3</source>
        <translation>choisi&#xa0;: image %1, ligne %2, colonne %3</translation>
    </message>
    <message>
        <source>, class %1</source>
        <translation>, classe %1</translation>
    </message>
    <message>
        <source>Elements touched by x%1</source>
        <translation>Éléments touchés par x%1</translation>
    </message>
    <message>
        <source>Elements of the storage that the images reach</source>
        <translation>Éléments du stockage que les images atteignent</translation>
    </message>
    <message>
        <source>The storage begins at 0x%1.</source>
        <translation>Le stockage commence à 0x%1.</translation>
    </message>
    <message>
        <source>Images are numbered 0 to %1.</source>
        <translation>Les images sont numérotées de 0 à %1.</translation>
    </message>
    <message>
        <source>Choose a tensor of labels first, or type the number of an image.</source>
        <translation>Choisissez d&apos;abord un tenseur d&apos;étiquettes, ou tapez le numéro d&apos;une image.</translation>
    </message>
    <message>
        <source>No image has the class %1.</source>
        <translation>Aucune image n&apos;a la classe %1.</translation>
    </message>
    <message>
        <source>The storage has no slot %1.</source>
        <translation>Le stockage n&apos;a pas d&apos;emplacement %1.</translation>
    </message>
    <message>
        <source>No pixel of these images lies at slot %1.</source>
        <translation>Aucun pixel de ces images n&apos;est à l&apos;emplacement %1.</translation>
    </message>
    <message numerus="yes">
        <source>%n line(s) copied.</source>
        <translation>
            <numerusform>%n ligne copiée.</numerusform>
            <numerusform>%n lignes copiées.</numerusform>
        </translation>
    </message>
    <message>
        <source>There are no images.</source>
        <translation>Il n&apos;y a pas d&apos;images.</translation>
    </message>
    <message>
        <source>Export grid</source>
        <translation>Exporter la grille</translation>
    </message>
    <message>
        <source>Images (*.png *.jpg *.bmp *.tga)</source>
        <translation>Images (*.png *.jpg *.bmp *.tga)</translation>
    </message>
    <message>
        <source>A grid is still being saved.</source>
        <translation>Une grille est encore en cours d&apos;enregistrement.</translation>
    </message>
    <message>
        <source>Not saved: the name ends in none of .png, .jpg, .bmp and .tga.</source>
        <translation>Non enregistré&#xa0;: le nom ne finit ni par .png, ni par .jpg, .bmp ou .tga.</translation>
    </message>
    <message>
        <source>Not saved: %1. %2</source>
        <translation>Non enregistré&#xa0;: %1. %2</translation>
    </message>
    <message>
        <source>Saved %1: %2 × %3 pixels, as %4</source>
        <translation>Enregistré %1&#xa0;: %2 × %3 pixels, comme %4</translation>
    </message>
    <message>
        <source>Live operations on</source>
        <translation>Opérations en direct sur</translation>
    </message>
    <message>
        <source>Tensor of images</source>
        <translation>Tenseur d&apos;images</translation>
    </message>
    <message>
        <source>Add</source>
        <translation>Ajouter</translation>
    </message>
    <message>
        <source>Adds an operation at the end of the list.</source>
        <translation>Ajoute une opération à la fin de la liste.</translation>
    </message>
    <message>
        <source>Copy lines</source>
        <translation>Copier</translation>
    </message>
    <message>
        <source>The list as lines of PyTorch code.</source>
        <translation>La liste en lignes de code PyTorch.</translation>
    </message>
    <message>
        <source>Run lines</source>
        <translation>Exécuter</translation>
    </message>
    <message>
        <source>Carries the list out in the workspace: the result gets a name there.</source>
        <translation>Exécute la liste dans l&apos;espace de travail&#xa0;: le résultat y reçoit un nom.</translation>
    </message>
    <message>
        <source>Compare with</source>
        <translation>Comparer avec</translation>
    </message>
    <message>
        <source>Compared with the picture after</source>
        <translation>Comparé avec l&apos;image après</translation>
    </message>
    <message>
        <source>as</source>
        <translation>par</translation>
    </message>
    <message>
        <source>How two pictures are compared</source>
        <translation>Comment deux images sont comparées</translation>
    </message>
    <message>
        <source>left of a handle</source>
        <translation>une poignée</translation>
    </message>
    <message>
        <source>side by side</source>
        <translation>côte à côte</translation>
    </message>
    <message>
        <source>difference</source>
        <translation>différence</translation>
    </message>
    <message>
        <source>Channel %1 of dim 1</source>
        <translation>Canal %1 de la dim 1</translation>
    </message>
    <message>
        <source>Solo</source>
        <translation>Seul</translation>
    </message>
    <message>
        <source>Solo %1</source>
        <translation>%1 seul</translation>
    </message>
    <message>
        <source>Kill</source>
        <translation>Ôter</translation>
    </message>
    <message>
        <source>Kill %1</source>
        <translation>Ôter %1</translation>
    </message>
    <message>
        <source>Writes -1 (0 for integers) into this channel: a step of the list.</source>
        <translation>Écrit -1 (0 pour les entiers) dans ce canal&#xa0;: une étape de la liste.</translation>
    </message>
    <message>
        <source>fill</source>
        <translation>val.</translation>
    </message>
    <message>
        <source>Value that Kill writes</source>
        <translation>Valeur qu&apos;écrit «&#xa0;Ôter&#xa0;»</translation>
    </message>
    <message>
        <source>What Kill writes: -1 for floats and 0 for integers unless a number stands here.</source>
        <translation>Ce qu&apos;écrit «&#xa0;Ôter&#xa0;»&#xa0;: -1 pour les floats et 0 pour les entiers, sauf si un nombre est ici.</translation>
    </message>
    <message>
        <source>colour</source>
        <translation>RVB</translation>
    </message>
    <message>
        <source>Show colours</source>
        <translation>Montrer les couleurs</translation>
    </message>
    <message>
        <source>Channels 0, 1 and 2 as red, green and blue.</source>
        <translation>Les canaux 0, 1 et 2 en rouge, vert et bleu.</translation>
    </message>
    <message>
        <source>grey</source>
        <translation>gris</translation>
    </message>
    <message>
        <source>Show grey</source>
        <translation>Montrer en gris</translation>
    </message>
    <message>
        <source>Their weighted sum (BT.601), to look at only.</source>
        <translation>Leur somme pondérée (BT.601), pour regarder seulement.</translation>
    </message>
    <message>
        <source>tint</source>
        <translation>teinte</translation>
    </message>
    <message>
        <source>Show tints</source>
        <translation>Montrer les teintes</translation>
    </message>
    <message>
        <source>A single channel in its own colour instead of grey.</source>
        <translation>Un canal seul dans sa propre couleur au lieu de gris.</translation>
    </message>
    <message>
        <source>Export…</source>
        <translation>Export…</translation>
    </message>
    <message>
        <source>Saves the grid as save_image does.</source>
        <translation>Enregistre la grille comme save_image.</translation>
    </message>
    <message>
        <source>Axes</source>
        <translation>Axes</translation>
    </message>
    <message>
        <source>Images that are compared with</source>
        <translation>Images avec lesquelles on compare</translation>
    </message>
    <message>
        <source>Values</source>
        <translation>Valeurs</translation>
    </message>
    <message>
        <source>Auto</source>
        <translation>Auto</translation>
    </message>
    <message>
        <source>-1 … 1</source>
        <translation>-1 … 1</translation>
    </message>
    <message>
        <source>0 … 1</source>
        <translation>0 … 1</translation>
    </message>
    <message>
        <source>0 … 255</source>
        <translation>0 … 255</translation>
    </message>
    <message>
        <source>Swap</source>
        <translation>Échange</translation>
    </message>
    <message>
        <source>Two channels in each other&apos;s place: a step of the list.</source>
        <translation>Deux canaux l&apos;un à la place de l&apos;autre&#xa0;: une étape de la liste.</translation>
    </message>
    <message>
        <source>%1 and %2</source>
        <translation>%1 et %2</translation>
    </message>
    <message>
        <source>Grid</source>
        <translation>Grille</translation>
    </message>
    <message>
        <source>make_grid&apos;s padding, pad_value, normalize and scale_each.</source>
        <translation>padding, pad_value, normalize et scale_each de make_grid.</translation>
    </message>
    <message>
        <source>padding</source>
        <translation>padding</translation>
    </message>
    <message>
        <source>pad_value</source>
        <translation>pad_value</translation>
    </message>
    <message>
        <source>no: values as they are</source>
        <translation>non&#xa0;: les valeurs telles quelles</translation>
    </message>
    <message>
        <source>black to white point (value_range)</source>
        <translation>du point noir au point blanc (value_range)</translation>
    </message>
    <message>
        <source>each image alone (scale_each)</source>
        <translation>chaque image seule (scale_each)</translation>
    </message>
    <message>
        <source>normalize</source>
        <translation>normalize</translation>
    </message>
    <message>
        <source>Columns</source>
        <translation>Colonnes</translation>
    </message>
    <message>
        <source>Images in a row</source>
        <translation>Images par ligne</translation>
    </message>
    <message>
        <source>auto</source>
        <translation>auto</translation>
    </message>
    <message>
        <source>nrow of make_grid.</source>
        <translation>nrow de make_grid.</translation>
    </message>
    <message>
        <source>Labels</source>
        <translation>Étiquettes</translation>
    </message>
    <message>
        <source>Tensor of labels</source>
        <translation>Tenseur d&apos;étiquettes</translation>
    </message>
    <message>
        <source>Classes of the images: a 1-d tensor of integers, one for each.</source>
        <translation>Classes des images&#xa0;: un tenseur 1-d d&apos;entiers, un pour chacune.</translation>
    </message>
    <message>
        <source>21, cat, label 3, slot 65796</source>
        <translation>21, cat, label 3, slot 65796</translation>
    </message>
    <message>
        <source>Goes to an image by its number, to the next one of a class by number or name, or to the pixel at a slot, byte or address (0x…) of the storage.</source>
        <translation>Va à une image par son numéro, à la suivante d&apos;une classe par numéro ou par nom, ou au pixel d&apos;un emplacement (slot), octet ou adresse (0x…) du stockage.</translation>
    </message>
    <message>
        <source>Find an image</source>
        <translation>Trouver une image</translation>
    </message>
    <message>
        <source>Shuffle</source>
        <translation>Mélanger</translation>
    </message>
    <message>
        <source>Seed of the shuffled order</source>
        <translation>Graine de l&apos;ordre mélangé</translation>
    </message>
    <message>
        <source>off</source>
        <translation>non</translation>
    </message>
    <message>
        <source>The order of torch.manual_seed(seed); torch.randperm(n): the same for the same seed.</source>
        <translation>L&apos;ordre de torch.manual_seed(seed); torch.randperm(n)&#xa0;: le même pour la même graine.</translation>
    </message>
    <message>
        <source>none</source>
        <translation>aucune</translation>
    </message>
    <message>
        <source>No tensor of the workspace is images.</source>
        <translation>Aucun tenseur de l&apos;espace de travail n&apos;est fait d&apos;images.</translation>
    </message>
    <message>
        <source>Images are (n, c, h, w), (n, h, w, c) or one of them, with 1 or 3 channels. Open a picture, an array or a file of CIFAR with File &gt; Open, or take the pictures that the program draws itself.</source>
        <translation>Des images sont (n, c, h, w), (n, h, w, c) ou l&apos;une d&apos;elles, avec 1 ou 3 canaux. Ouvrez une image, un tableau ou un fichier de CIFAR par Fichier &gt; Ouvrir, ou prenez les images que le programme dessine lui-même.</translation>
    </message>
    <message>
        <source>Take the sample images</source>
        <translation>Prendre les images d&apos;exemple</translation>
    </message>
    <message>
        <source>Open…</source>
        <translation>Ouvrir…</translation>
    </message>
    <message>
        <source>Download CIFAR…</source>
        <translation>Télécharger CIFAR…</translation>
    </message>
    <message>
        <source>Shows what would be fetched and from where; nothing is before you say so.</source>
        <translation>Montre ce qui serait chargé et d&apos;où&#xa0;; rien ne l&apos;est avant que vous ne le disiez.</translation>
    </message>
    <message>
        <source>An empty step to type into</source>
        <translation>Une étape vide à remplir</translation>
    </message>
    <message>
        <source>nothing</source>
        <translation>rien</translation>
    </message>
    <message>
        <source>%1 %2</source>
        <translation>%1 %2</translation>
    </message>
    <message>
        <source>the images</source>
        <translation>les images</translation>
    </message>
    <message>
        <source>|difference| of: %1</source>
        <translation>|différence| de&#xa0;: %1</translation>
    </message>
    <message>
        <source>✗ no difference: %1 %2 and %3 %4</source>
        <translation>✗ pas de différence&#xa0;: %1 %2 et %3 %4</translation>
    </message>
    <message>
        <source>picked: row %1, column %2</source>
        <translation>choisi&#xa0;: ligne %1, colonne %2</translation>
    </message>
    <message>
        <source>x[%1] = (%2) · slot %3 · stored values, not clipped by the range that is drawn</source>
        <translation>x[%1] = (%2) · emplacement %3 · valeurs stockées, non coupées par l&apos;intervalle dessiné</translation>
    </message>
    <message>
        <source>change of the list of operations</source>
        <translation>le changement de la liste d&apos;opérations</translation>
    </message>
    <message>
        <source>This channel alone, as a step of the list: a view, nothing is written.</source>
        <translation>Ce canal seul, une étape de la liste&#xa0;: une vue, rien n&apos;est écrit.</translation>
    </message>
    <message>
        <source>%1 %2 (off)</source>
        <translation>%1 %2 (désactivée)</translation>
    </message>
    <message>
        <source>A handle needs two pictures of one size; these are %1 × %2 and %3 × %4 pixels and stand side by side.</source>
        <translation>Une poignée demande deux images d&apos;une même taille&#xa0;; celles-ci ont %1 × %2 et %3 × %4 pixels et sont côte à côte.</translation>
    </message>
    <message>
        <source>contiguous: %1 · offset %2 · %3</source>
        <translation>contigu&#xa0;: %1 · décalage %2 · %3</translation>
    </message>
    <message>
        <source>yes</source>
        <translation>oui</translation>
    </message>
    <message>
        <source>no</source>
        <translation>non</translation>
    </message>
    <message>
        <source>pointed at: image %1, row %2, column %3</source>
        <translation>sous le pointeur&#xa0;: image %1, ligne %2, colonne %3</translation>
    </message>
    <message>
        <source>pointed at: row %1, column %2</source>
        <translation>sous le pointeur&#xa0;: ligne %1, colonne %2</translation>
    </message>
    <message>
        <source>%1 × %2 pixels</source>
        <translation>%1 × %2 pixels</translation>
    </message>
    <message>
        <source>padding %1</source>
        <translation>marge %1</translation>
    </message>
    <message>
        <source>%1×</source>
        <translation>%1×</translation>
    </message>
    <message>
        <source>nearest neighbour, %1</source>
        <translation>plus proche voisin, %1</translation>
    </message>
    <message>
        <source>%1 values</source>
        <translation>%1 valeurs</translation>
    </message>
    <message>
        <source>✓ correct: %1</source>
        <translation>✓ juste&#xa0;: %1</translation>
    </message>
    <message>
        <source>✗ wrong: %1</source>
        <translation>✗ faux&#xa0;: %1</translation>
    </message>
    <message>
        <source>✗ At the right, the wrong one: %1 ✓ At the left, the correct one: %2</source>
        <translation>✗ À droite, la fausse&#xa0;: %1 ✓ À gauche, la bonne&#xa0;: %2</translation>
    </message>
    <message>
        <source>✗ Wrong: %1 ✓ Correct: %2</source>
        <translation>✗ Faux&#xa0;: %1 ✓ Juste&#xa0;: %2</translation>
    </message>
</context>
<context>
    <name>stridescope::Inspector</name>
    <message>
        <source>Inspector</source>
        <translation>Inspecteur</translation>
    </message>
    <message>
        <source>Offset, size, stride</source>
        <translation>Offset, size, stride</translation>
    </message>
    <message>
        <source>legal range, others fixed</source>
        <translation>bornes permises, le reste fixé</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>Copier</translation>
    </message>
    <message>
        <source>Copy this line of code</source>
        <translation>Copier cette ligne de code</translation>
    </message>
    <message>
        <source>Contiguity walk</source>
        <translation>Parcours de contiguïté</translation>
    </message>
    <message>
        <source>Point at a cell to see the walk as far as there; click it to find it on the strip.</source>
        <translation>Pointez une case pour voir le parcours jusque-là&#xa0;; cliquez-la pour la trouver sur la bande.</translation>
    </message>
    <message>
        <source>Bytes</source>
        <translation>Octets</translation>
    </message>
    <message>
        <source>Cell</source>
        <translation>Case</translation>
    </message>
    <message>
        <source>Click for the single bits</source>
        <translation>Cliquez pour voir les bits</translation>
    </message>
    <message>
        <source>Where from</source>
        <translation>D&apos;où elle vient</translation>
    </message>
    <message>
        <source>offset</source>
        <translation>offset</translation>
    </message>
    <message>
        <source>elements</source>
        <translation>éléments</translation>
    </message>
    <message>
        <source>size</source>
        <translation>size</translation>
    </message>
    <message>
        <source>dim %1</source>
        <translation>dim %1</translation>
    </message>
    <message>
        <source>stride</source>
        <translation>stride</translation>
    </message>
    <message>
        <source>Nothing to inspect yet</source>
        <translation>Rien à inspecter encore</translation>
    </message>
    <message>
        <source>Offset, sizes, strides, bytes and visiting order of the selected tensor stand here.</source>
        <translation>L&apos;offset, les tailles, les strides, les octets et l&apos;ordre de visite du tenseur choisi sont ici.</translation>
    </message>
    <message>
        <source>Nothing is selected</source>
        <translation>Rien n&apos;est choisi</translation>
    </message>
    <message>
        <source>Its offset, sizes and strides would stand here.</source>
        <translation>Son offset, ses tailles et ses strides seraient ici.</translation>
    </message>
    <message>
        <source>Select %1</source>
        <translation>Choisir %1</translation>
    </message>
    <message>
        <source>✓ contiguous</source>
        <translation>✓ contigu</translation>
    </message>
    <message>
        <source>✗ not contiguous</source>
        <translation>✗ non contigu</translation>
    </message>
    <message>
        <source>picked cell %1</source>
        <translation>case choisie %1</translation>
    </message>
    <message>
        <source>cell %1</source>
        <translation>case %1</translation>
    </message>
    <message>
        <source>point at one</source>
        <translation>pointez-en une</translation>
    </message>
    <message>
        <source>Cell </source>
        <translation>Case </translation>
    </message>
    <message>
        <source>Hovered cell </source>
        <translation>Case survolée </translation>
    </message>
    <message>
        <source>Picked cell </source>
        <translation>Case choisie </translation>
    </message>
    <message>
        <source>not on stage</source>
        <translation>pas sur scène</translation>
    </message>
    <message>
        <source>%1 bytes, little-endian</source>
        <translation>%1 octets, petit-boutiste</translation>
    </message>
    <message>
        <source>1 byte</source>
        <translation>1 octet</translation>
    </message>
    <message>
        <source>Badge</source>
        <translation>Insigne</translation>
    </message>
</context>
<context>
    <name>stridescope::KernelClient</name>
    <message>
        <source>1 tensor kept</source>
        <translation>1 tenseur gardé</translation>
    </message>
    <message>
        <source>%1 tensors kept</source>
        <translation>%1 tenseurs gardés</translation>
    </message>
    <message>
        <source>; Python names lost: %1</source>
        <translation> ; noms de Python perdus&#xa0;: %1</translation>
    </message>
    <message>
        <source>Python did not come up within %1 s.</source>
        <translation>Python n&apos;a pas démarré en %1 s.</translation>
    </message>
    <message>
        <source>Python ended before it was ready (exit code %1).</source>
        <translation>Python s&apos;est terminé avant d&apos;être prêt (code de sortie %1).</translation>
    </message>
    <message>
        <source>Python ended (exit code %1).</source>
        <translation>Python s&apos;est terminé (code de sortie %1).</translation>
    </message>
    <message>
        <source>Python ended: signal %1 (%2).</source>
        <translation>Python s&apos;est terminé&#xa0;: signal %1 (%2).</translation>
    </message>
    <message>
        <source>The code did not answer Stop; Python was ended and started again.</source>
        <translation>Le code n&apos;a pas répondu à «&#xa0;Arrêter&#xa0;»&#xa0;; Python a été terminé et relancé.</translation>
    </message>
    <message>
        <source>The code closed or damaged Python&apos;s channel to this window; Python was started again.</source>
        <translation>Le code a fermé ou abîmé le canal de Python vers cette fenêtre&#xa0;; Python a été relancé.</translation>
    </message>
    <message>
        <source>Python was started again.</source>
        <translation>Python a été relancé.</translation>
    </message>
</context>
<context>
    <name>stridescope::Lesson</name>
    <message>
        <source>en</source>
        <comment>the code of the language of these texts</comment>
        <translation>fr</translation>
    </message>
</context>
<context>
    <name>stridescope::LessonEditor</name>
    <message>
        <source>New lesson</source>
        <translation>Nouvelle leçon</translation>
    </message>
    <message>
        <source>All lessons</source>
        <translation>Leçons</translation>
    </message>
    <message>
        <source>New</source>
        <translation>Nouvelle</translation>
    </message>
    <message>
        <source>Open…</source>
        <translation>Ouvrir…</translation>
    </message>
    <message>
        <source>Edit a lesson file</source>
        <translation>Modifier un fichier de leçon</translation>
    </message>
    <message>
        <source>Lessons (*.lesson);;All files (*)</source>
        <translation>Leçons (*.lesson);;Tous les fichiers (*)</translation>
    </message>
    <message>
        <source>Save as…</source>
        <translation>Enregistrer sous…</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>Enregistrer</translation>
    </message>
    <message>
        <source>Ctrl+S</source>
        <translation>Ctrl+S</translation>
    </message>
    <message>
        <source>Take it</source>
        <translation>La suivre</translation>
    </message>
    <message>
        <source>Saves the lesson and opens it at this stop.</source>
        <translation>Enregistre la leçon et l&apos;ouvre à cette étape.</translation>
    </message>
    <message>
        <source>Text of the lesson</source>
        <translation>Texte de la leçon</translation>
    </message>
    <message>
        <source>What the checker says</source>
        <translation>Ce que dit la vérification</translation>
    </message>
    <message>
        <source>The answer is %1. %2</source>
        <translation>La réponse est %1. %2</translation>
    </message>
    <message>
        <source> – not saved</source>
        <translation> – non enregistrée</translation>
    </message>
    <message>
        <source>Changes of %1 are not saved.</source>
        <translation>Les changements de %1 ne sont pas enregistrés.</translation>
    </message>
    <message>
        <source>Discard changes</source>
        <translation>Jeter les changements</translation>
    </message>
    <message>
        <source>Go on with them</source>
        <translation>Continuer avec eux</translation>
    </message>
    <message>
        <source>%1 cannot be read: %2.</source>
        <translation>%1 ne peut être lu&#xa0;: %2.</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Fermer</translation>
    </message>
    <message>
        <source>%1 is no text of at most 256 KiB.</source>
        <translation>%1 n&apos;est pas un texte d&apos;au plus 256 Kio.</translation>
    </message>
    <message>
        <source>Save the lesson</source>
        <translation>Enregistrer la leçon</translation>
    </message>
    <message>
        <source>Lessons (*.lesson)</source>
        <translation>Leçons (*.lesson)</translation>
    </message>
    <message>
        <source>%1 was not saved: %2</source>
        <translation>%1 n&apos;a pas été enregistré&#xa0;: %2</translation>
    </message>
    <message>
        <source>Save elsewhere…</source>
        <translation>Enregistrer ailleurs…</translation>
    </message>
    <message>
        <source>Saved %1.</source>
        <translation>%1 enregistré.</translation>
    </message>
    <message>
        <source>%1 has changed on the disk and was read again.</source>
        <translation>%1 a changé sur le disque et a été relu.</translation>
    </message>
    <message>
        <source>%1 has changed on the disk, and you have changes that are not saved.</source>
        <translation>%1 a changé sur le disque, et vous avez des changements non enregistrés.</translation>
    </message>
    <message>
        <source>Take the file&apos;s</source>
        <translation>Prendre ceux du fichier</translation>
    </message>
    <message>
        <source>Keep mine</source>
        <translation>Garder les miens</translation>
    </message>
    <message>
        <source>✓ Each stop was begun %1 times, and each answer given.</source>
        <translation>✓ Chaque étape a été commencée %1 fois, et chaque réponse donnée.</translation>
    </message>
    <message>
        <source>&apos;%1&apos; cannot be read as an answer.</source>
        <translation>«&#xa0;%1&#xa0;» ne peut être lu comme une réponse.</translation>
    </message>
</context>
<context>
    <name>stridescope::LessonList</name>
    <message>
        <source>Lessons</source>
        <translation>Leçons</translation>
    </message>
    <message>
        <source>Lessons (*.lesson);;All files (*)</source>
        <translation>Leçons (*.lesson);;Tous les fichiers (*)</translation>
    </message>
    <message>
        <source>New lesson</source>
        <translation>Nouvelle leçon</translation>
    </message>
    <message>
        <source>Begins with an example of each kind of stop.</source>
        <translation>Commence par un exemple de chaque sorte d&apos;étape.</translation>
    </message>
    <message>
        <source>Edit a copy</source>
        <translation>Modifier une copie</translation>
    </message>
    <message>
        <source>Of the lesson that is selected below; it is saved where you say.</source>
        <translation>De la leçon choisie ci-dessous&#xa0;; elle est enregistrée où vous le dites.</translation>
    </message>
    <message>
        <source>Edit a file…</source>
        <translation>Modifier un fichier…</translation>
    </message>
    <message>
        <source>A lesson that you wrote, beside what it looks like.</source>
        <translation>Une leçon que vous avez écrite, à côté de son aspect.</translation>
    </message>
    <message>
        <source>Edit a lesson file</source>
        <translation>Modifier un fichier de leçon</translation>
    </message>
    <message>
        <source>Open a lesson file…</source>
        <translation>Ouvrir un fichier de leçon…</translation>
    </message>
    <message>
        <source>To take the lesson.</source>
        <translation>Pour suivre la leçon.</translation>
    </message>
    <message>
        <source>Open a lesson file</source>
        <translation>Ouvrir un fichier de leçon</translation>
    </message>
    <message>
        <source>Lesson</source>
        <translation>Leçon</translation>
    </message>
    <message>
        <source>What it is about</source>
        <translation>De quoi il s&apos;agit</translation>
    </message>
    <message>
        <source>Done</source>
        <translation>Faite</translation>
    </message>
    <message>
        <source>Enter opens the lesson. In it, the numbers answer, Enter goes on, Page Up goes back.</source>
        <translation>Entrée ouvre la leçon. Dans celle-ci, les chiffres répondent, Entrée continue, Page préc. revient en arrière.</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 sur %2</translation>
    </message>
</context>
<context>
    <name>stridescope::LessonPage</name>
    <message>
        <source>The picture is from before: Enter runs the code.</source>
        <translation>L’image date d’avant&#xa0;: Entrée exécute le code.</translation>
    </message>
    <message>
        <source>Run · Enter</source>
        <translation>Exécuter · Entrée</translation>
    </message>
    <message>
        <source>A page of the lesson for the class: Space shows what comes next, and Enter runs the code. With a question, 1 to 9 choose an answer, + and - count its votes, and T counts down.</source>
        <translation>Une page de la leçon pour la classe&#xa0;: Espace montre la suite, et Entrée exécute le code. Avec une question, 1 à 9 choisissent une réponse, + et - comptent ses voix, et T lance le compte à rebours.</translation>
    </message>
    <message>
        <source>Lesson</source>
        <translation>Leçon</translation>
    </message>
    <message>
        <source>Reveal</source>
        <translation>Révéler</translation>
    </message>
    <message>
        <source>A wrong answer</source>
        <translation>Une réponse fausse</translation>
    </message>
    <message>
        <source>Hint</source>
        <translation>Indice</translation>
    </message>
    <message>
        <source>Picture</source>
        <translation>Image</translation>
    </message>
    <message>
        <source>Next stop</source>
        <translation>Étape suivante</translation>
    </message>
    <message>
        <source>End of the lesson</source>
        <translation>Fin de la leçon</translation>
    </message>
    <message>
        <source>This stop cannot be begun.</source>
        <translation>Cette étape ne peut être commencée.</translation>
    </message>
    <message>
        <source>✓ %1: %2</source>
        <translation>✓ %1&#xa0;: %2</translation>
    </message>
    <message>
        <source>✗ %1: %2</source>
        <translation>✗ %1&#xa0;: %2</translation>
    </message>
    <message>
        <source>Choose a lesson in the other window.</source>
        <translation>Choisissez une leçon dans l&apos;autre fenêtre.</translation>
    </message>
    <message>
        <source>%1 · Space</source>
        <translation>%1 · Espace</translation>
    </message>
    <message>
        <source>Seconds left: %1</source>
        <translation>Secondes restantes&#xa0;: %1</translation>
    </message>
    <message>
        <source>Time is up</source>
        <translation>Temps écoulé</translation>
    </message>
    <message>
        <source>Hands: %1</source>
        <translation>Mains levées&#xa0;: %1</translation>
    </message>
    <message>
        <source>What do you think?</source>
        <translation>Qu&apos;en pensez-vous&#xa0;?</translation>
    </message>
    <message>
        <source>The picture comes with the answer.</source>
        <translation>L&apos;image vient avec la réponse.</translation>
    </message>
</context>
<context>
    <name>stridescope::LessonPane</name>
    <message>
        <source>All lessons</source>
        <translation>Leçons</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>Lancer</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>Copier</translation>
    </message>
    <message>
        <source>Answer</source>
        <translation>Réponse</translation>
    </message>
    <message>
        <source>Check</source>
        <translation>Vérifier</translation>
    </message>
    <message>
        <source>Hint</source>
        <translation>Indice</translation>
    </message>
    <message>
        <source>Show the answer</source>
        <translation>Montrer la réponse</translation>
    </message>
    <message>
        <source>Other numbers</source>
        <translation>Autres nombres</translation>
    </message>
    <message>
        <source>Back</source>
        <translation>Retour</translation>
    </message>
    <message>
        <source>Next</source>
        <translation>Suivant</translation>
    </message>
    <message>
        <source>Answer %1: %2</source>
        <translation>Réponse %1&#xa0;: %2</translation>
    </message>
    <message>
        <source>Carries the lines out in the workspace.</source>
        <translation>Exécute les lignes dans l&apos;espace de travail.</translation>
    </message>
    <message>
        <source>First say what you think; then it can be run.</source>
        <translation>Dites d&apos;abord ce que vous pensez&#xa0;; on pourra l&apos;exécuter ensuite.</translation>
    </message>
    <message>
        <source>Stop %1 of %2</source>
        <translation>Étape %1 sur %2</translation>
    </message>
    <message>
        <source>, done</source>
        <translation>, faite</translation>
    </message>
    <message>
        <source>Finish</source>
        <translation>Terminer</translation>
    </message>
    <message>
        <source>Copy link</source>
        <translation>Copier le lien</translation>
    </message>
    <message>
        <source>The command that opens the lesson at this stop.</source>
        <translation>La commande qui ouvre la leçon à cette étape.</translation>
    </message>
    <message>
        <source>Line that makes it</source>
        <translation>Ligne qui le fait</translation>
    </message>
    <message>
        <source>Try</source>
        <translation>Essayer</translation>
    </message>
    <message>
        <source>Carries the line out; without one, looks at the selected tensor.</source>
        <translation>Exécute la ligne&#xa0;; sans ligne, regarde le tenseur choisi.</translation>
    </message>
    <message>
        <source>Answer %1: %2, right</source>
        <translation>Réponse %1&#xa0;: %2, juste</translation>
    </message>
    <message>
        <source>Answer %1: %2, wrong</source>
        <translation>Réponse %1&#xa0;: %2, fausse</translation>
    </message>
</context>
<context>
    <name>stridescope::LessonsScreen</name>
    <message>
        <source>Lessons run in the workspace that the other screens show. A page has a sentence, a line of code and a question: Enter runs the code or says the answer, Page Down goes to the next page, and the picture is of the tensors as they are now.</source>
        <translation>Les leçons se déroulent dans l’espace de travail que montrent les autres écrans. Une page a une phrase, une ligne de code et une question&#xa0;: Entrée exécute le code ou donne la réponse, Page suivante mène à la page suivante, et l’image montre les tenseurs tels qu’ils sont.</translation>
    </message>
    <message>
        <source>The lines are on the clipboard.</source>
        <translation>Les lignes sont dans le presse-papiers.</translation>
    </message>
    <message>
        <source>The answer is %1. %2</source>
        <translation>La réponse est %1. %2</translation>
    </message>
    <message>
        <source>This lesson cannot be opened.</source>
        <translation>Cette leçon ne peut être ouverte.</translation>
    </message>
    <message>
        <source>&apos;%1&apos; cannot be read as an answer. Wanted is %2.</source>
        <translation>«&#xa0;%1&#xa0;» ne peut être lu comme une réponse. Il faut %2.</translation>
    </message>
    <message>
        <source>No tensor is selected.</source>
        <translation>Aucun tenseur n&apos;est choisi.</translation>
    </message>
    <message>
        <source>That is it.</source>
        <translation>C&apos;est cela.</translation>
    </message>
    <message>
        <source>%1 has changed on the disk and was opened again.</source>
        <translation>%1 a changé sur le disque et a été rouvert.</translation>
    </message>
    <message>
        <source>This picture is the question&apos;s. Run the code to have its tensors.</source>
        <translation>Cette image est celle de la question. Exécutez le code pour avoir ses tenseurs.</translation>
    </message>
    <message>
        <source>The picture of your workspace, as it is. The lines are for Python: copy them.</source>
        <translation>L&apos;image de votre espace de travail, tel qu&apos;il est. Les lignes sont pour Python&#xa0;: copiez-les.</translation>
    </message>
    <message>
        <source>The picture comes with the answer.</source>
        <translation>L&apos;image vient avec la réponse.</translation>
    </message>
    <message>
        <source>What the lines are about. They are for Python: copy them.</source>
        <translation>Ce dont parlent les lignes. Elles sont pour Python&#xa0;: copiez-les.</translation>
    </message>
    <message>
        <source>What the question is about. Run makes it yours.</source>
        <translation>Ce dont parle la question. «&#xa0;Lancer&#xa0;» en fait vos tenseurs.</translation>
    </message>
    <message>
        <source>What the question is about. Values come with the answer.</source>
        <translation>Ce dont parle la question. Les valeurs viennent avec la réponse.</translation>
    </message>
    <message>
        <source>This picture is from before: run the code first.</source>
        <translation>Cette image date d&apos;avant&#xa0;: exécutez d&apos;abord le code.</translation>
    </message>
    <message>
        <source>the code of &quot;%1&quot;</source>
        <translation>le code de «&#xa0;%1&#xa0;»</translation>
    </message>
    <message>
        <source>It has no stop &apos;%1&apos;, but stops 1 to %2.</source>
        <translation>Elle n&apos;a pas d&apos;étape «&#xa0;%1&#xa0;», mais les étapes 1 à %2.</translation>
    </message>
    <message>
        <source>On the clipboard: %1</source>
        <translation>Dans le presse-papiers&#xa0;: %1</translation>
    </message>
    <message>
        <source>Answer: %1. %2</source>
        <translation>Réponse&#xa0;: %1. %2</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1&#xa0;: %2</translation>
    </message>
    <message>
        <source>Hint: %1</source>
        <translation>Indice&#xa0;: %1</translation>
    </message>
    <message>
        <source>%1    Run makes it yours.</source>
        <translation>%1    «&#xa0;Lancer&#xa0;» en fait vos tenseurs.</translation>
    </message>
    <message>
        <source>There is no %1 any more: run the code again.</source>
        <translation>Il n&apos;y a plus de %1&#xa0;: exécutez le code de nouveau.</translation>
    </message>
    <message>
        <source>Run the code first: it makes %1.</source>
        <translation>Exécutez d&apos;abord le code&#xa0;: il fait %1.</translation>
    </message>
    <message>
        <source>That line makes no tensor.</source>
        <translation>Cette ligne ne fait pas de tenseur.</translation>
    </message>
    <message>
        <source>That line was refused. The reason stands over the picture.</source>
        <translation>Cette ligne a été refusée. La raison est au-dessus de l&apos;image.</translation>
    </message>
</context>
<context>
    <name>stridescope::MainWindow</name>
    <message>
        <source>Stridescope</source>
        <translation>Stridescope</translation>
    </message>
    <message>
        <source>Nothing was changed.</source>
        <translation>Rien n&apos;a été changé.</translation>
    </message>
    <message>
        <source>cpu · %1 threads</source>
        <translation>cpu · %1 threads</translation>
    </message>
    <message>
        <source>Progress of the work under way</source>
        <translation>Avancement du travail en cours</translation>
    </message>
    <message>
        <source>What is shown is not what the file holds; click for more</source>
        <translation>Ce qui est montré n&apos;est pas ce que contient le fichier&#xa0;; cliquez pour en savoir plus</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Annuler</translation>
    </message>
    <message>
        <source>Cancel the work under way</source>
        <translation>Annuler le travail en cours</translation>
    </message>
    <message>
        <source>Stop what is being opened, saved or computed; what was there stays</source>
        <translation>Arrêter ce qu&apos;on ouvre, enregistre ou calcule&#xa0;; ce qu&apos;il y avait reste</translation>
    </message>
    <message>
        <source>Counted, 3 × 4</source>
        <translation>Compté, 3 × 4</translation>
    </message>
    <message>
        <source>Counted, 2 × 3 × 4</source>
        <translation>Compté, 2 × 3 × 4</translation>
    </message>
    <message>
        <source>Counted, 2 × 2 × 3 × 4</source>
        <translation>Compté, 2 × 2 × 3 × 4</translation>
    </message>
    <message>
        <source>Counted, 20 in one row</source>
        <translation>Compté, 20 sur une ligne</translation>
    </message>
    <message>
        <source>Zeros, 3 × 4</source>
        <translation>Zéros, 3 × 4</translation>
    </message>
    <message>
        <source>Ones, 2 × 3, int64</source>
        <translation>Uns, 2 × 3, int64</translation>
    </message>
    <message>
        <source>A column, 4 × 1</source>
        <translation>Une colonne, 4 × 1</translation>
    </message>
    <message>
        <source>By hand, 2 × 2</source>
        <translation>À la main, 2 × 2</translation>
    </message>
    <message>
        <source>&amp;File</source>
        <translation>&amp;Fichier</translation>
    </message>
    <message>
        <source>&amp;New tensor</source>
        <translation>&amp;Nouveau tenseur</translation>
    </message>
    <message>
        <source>Type a new tensor…</source>
        <translation>Taper un nouveau tenseur…</translation>
    </message>
    <message>
        <source>&amp;Open…</source>
        <translation>&amp;Ouvrir…</translation>
    </message>
    <message>
        <source>Opens sessions, .npy, .npz, .safetensors and pictures. Large arrays are mapped, not read.</source>
        <translation>Ouvre des sessions, .npy, .npz, .safetensors et des images. Les grands tableaux sont projetés en mémoire, non lus.</translation>
    </message>
    <message>
        <source>Open &amp;recent</source>
        <translation>Ouvrir un fichier &amp;récent</translation>
    </message>
    <message>
        <source>&amp;Save session</source>
        <translation>Enre&amp;gistrer la session</translation>
    </message>
    <message>
        <source>All tensors with their views, how they are shown, and the lines of the history, in one file.</source>
        <translation>Tous les tenseurs avec leurs vues, leur présentation, et les lignes de l&apos;historique, dans un seul fichier.</translation>
    </message>
    <message>
        <source>Save session &amp;as…</source>
        <translation>Enregistrer la session &amp;sous…</translation>
    </message>
    <message>
        <source>Save &amp;tensor as .npy…</source>
        <translation>Enregistrer le &amp;tenseur en .npy…</translation>
    </message>
    <message>
        <source>Save all tensors as .np&amp;z…</source>
        <translation>Enregistrer tous les tenseurs en .np&amp;z…</translation>
    </message>
    <message>
        <source>&amp;Export picture…</source>
        <translation>&amp;Exporter l&apos;image…</translation>
    </message>
    <message>
        <source>The picture as SVG, PDF, PNG or LaTeX; what moves as GIF, page or pictures, too.</source>
        <translation>L&apos;image en SVG, PDF, PNG ou LaTeX&#xa0;; ce qui bouge aussi en GIF, page ou images.</translation>
    </message>
    <message>
        <source>Stops what is being opened, saved or computed; what was there stays.</source>
        <translation>Arrête ce qu&apos;on ouvre, enregistre ou calcule&#xa0;; ce qu&apos;il y avait reste.</translation>
    </message>
    <message>
        <source>Start o&amp;ver</source>
        <translation>Re&amp;commencer</translation>
    </message>
    <message>
        <source>Start over without saving</source>
        <translation>Recommencer sans enregistrer</translation>
    </message>
    <message>
        <source>&amp;Quit</source>
        <translation>&amp;Quitter</translation>
    </message>
    <message>
        <source>&amp;Edit</source>
        <translation>É&amp;dition</translation>
    </message>
    <message>
        <source>&amp;Undo</source>
        <translation>&amp;Annuler</translation>
    </message>
    <message>
        <source>&amp;Redo</source>
        <translation>&amp;Rétablir</translation>
    </message>
    <message>
        <source>History: step &amp;back</source>
        <translation>Historique&#xa0;: un pas en arr&amp;ière</translation>
    </message>
    <message>
        <source>History: step &amp;forward</source>
        <translation>Historique&#xa0;: u&amp;n pas en avant</translation>
    </message>
    <message>
        <source>Copy picture as &amp;PNG</source>
        <translation>Copier l&apos;image en &amp;PNG</translation>
    </message>
    <message>
        <source>Copy picture as S&amp;VG</source>
        <translation>Copier l&apos;image en S&amp;VG</translation>
    </message>
    <message>
        <source>Copy picture as &amp;LaTeX (TikZ)</source>
        <translation>Copier l&apos;image en &amp;LaTeX (TikZ)</translation>
    </message>
    <message>
        <source>For a LaTeX document with \usepackage{tikz}.</source>
        <translation>Pour un document LaTeX avec \usepackage{tikz}.</translation>
    </message>
    <message>
        <source>Copy selected tensor as a &amp;table</source>
        <translation>Copier le tenseur choisi en &amp;tableau</translation>
    </message>
    <message>
        <source>Copy selected tensor&apos;s &amp;code</source>
        <translation>Copier le &amp;code du tenseur choisi</translation>
    </message>
    <message>
        <source>Copy all lines of the &amp;history</source>
        <translation>Copier toutes les lignes de l&apos;&amp;historique</translation>
    </message>
    <message>
        <source>The lines of the history</source>
        <translation>Les lignes de l&apos;historique</translation>
    </message>
    <message>
        <source>Copy state as te&amp;xt</source>
        <translation>Copier l&apos;état en te&amp;xte</translation>
    </message>
    <message>
        <source>A small session as one line for a message or a link; pasted, it is the same state again.</source>
        <translation>Une petite session en une ligne, pour un message ou un lien&#xa0;; collée, c&apos;est de nouveau le même état.</translation>
    </message>
    <message>
        <source>P&amp;aste table, list, picture or state</source>
        <translation>C&amp;oller un tableau, une liste, une image ou un état</translation>
    </message>
    <message>
        <source>Makes a tensor of a text table, a Python list, a printed array or a picture.</source>
        <translation>Fait un tenseur d&apos;un tableau de texte, d&apos;une liste Python, d&apos;un tableau affiché ou d&apos;une image.</translation>
    </message>
    <message>
        <source>Search co&amp;mmands</source>
        <translation>Chercher une co&amp;mmande</translation>
    </message>
    <message>
        <source>&amp;View</source>
        <translation>&amp;Affichage</translation>
    </message>
    <message>
        <source>&amp;Screen</source>
        <translation>É&amp;cran</translation>
    </message>
    <message>
        <source>Pla&amp;y the last step</source>
        <translation>&amp;Jouer la dernière étape</translation>
    </message>
    <message>
        <source>Shows as motion which cells the last operation moved.</source>
        <translation>Montre en mouvement quelles cases la dernière opération a déplacées.</translation>
    </message>
    <message>
        <source>&amp;Go to index…</source>
        <translation>Aller à l&apos;&amp;indice…</translation>
    </message>
    <message>
        <source>Cell &amp;text</source>
        <translation>Te&amp;xte des cases</translation>
    </message>
    <message>
        <source>value</source>
        <translation>valeur</translation>
    </message>
    <message>
        <source>index</source>
        <translation>indice</translation>
    </message>
    <message>
        <source>both</source>
        <translation>les deux</translation>
    </message>
    <message>
        <source>Cells show: %1</source>
        <translation>Les cases montrent&#xa0;: %1</translation>
    </message>
    <message>
        <source>&amp;Ruler</source>
        <translation>&amp;Règle</translation>
    </message>
    <message>
        <source>elements</source>
        <translation>éléments</translation>
    </message>
    <message>
        <source>bytes</source>
        <translation>octets</translation>
    </message>
    <message>
        <source>hex</source>
        <translation>hex</translation>
    </message>
    <message>
        <source>Ruler: %1</source>
        <translation>Règle&#xa0;: %1</translation>
    </message>
    <message>
        <source>&amp;Wrap</source>
        <translation>Retour à la li&amp;gne</translation>
    </message>
    <message>
        <source>fit</source>
        <translation>ajusté</translation>
    </message>
    <message>
        <source>row</source>
        <translation>ligne</translation>
    </message>
    <message>
        <source>64 B line</source>
        <translation>ligne de 64 B</translation>
    </message>
    <message>
        <source>Wrap the strip: %1</source>
        <translation>Retour à la ligne de la bande&#xa0;: %1</translation>
    </message>
    <message>
        <source>Strides in &amp;bytes</source>
        <translation>Strides en &amp;octets</translation>
    </message>
    <message>
        <source>&amp;Cache lines on the strip</source>
        <translation>&amp;Lignes de cache sur la bande</translation>
    </message>
    <message>
        <source>&amp;Heat map</source>
        <translation>Couleurs selon les &amp;valeurs</translation>
    </message>
    <message>
        <source>Reduce &amp;motion</source>
        <translation>Réduire le &amp;mouvement</translation>
    </message>
    <message>
        <source>system</source>
        <translation>système</translation>
    </message>
    <message>
        <source>light</source>
        <translation>clair</translation>
    </message>
    <message>
        <source>dark</source>
        <translation>sombre</translation>
    </message>
    <message>
        <source>Theme: %1</source>
        <translation>Thème&#xa0;: %1</translation>
    </message>
    <message>
        <source>&amp;Tensor</source>
        <translation>&amp;Tenseur</translation>
    </message>
    <message>
        <source>&amp;Rename…</source>
        <translation>&amp;Renommer…</translation>
    </message>
    <message>
        <source>&amp;Hide from stage</source>
        <translation>&amp;Cacher de la scène</translation>
    </message>
    <message>
        <source>&amp;Delete name</source>
        <translation>&amp;Supprimer le nom</translation>
    </message>
    <message>
        <source>Move card &amp;left</source>
        <translation>Déplacer la carte à &amp;gauche</translation>
    </message>
    <message>
        <source>Move card ri&amp;ght</source>
        <translation>Déplacer la carte à &amp;droite</translation>
    </message>
    <message>
        <source>&amp;Print in the console</source>
        <translation>&amp;Afficher dans la console</translation>
    </message>
    <message>
        <source>Any operation by &amp;form…</source>
        <translation>Toute opération par &amp;formulaire…</translation>
    </message>
    <message>
        <source>&amp;Window</source>
        <translation>Fe&amp;nêtre</translation>
    </message>
    <message>
        <source>Go to the &amp;prompt</source>
        <translation>Aller à l&apos;in&amp;vite</translation>
    </message>
    <message>
        <source>Go to the p&amp;icture</source>
        <translation>Aller à l&apos;i&amp;mage</translation>
    </message>
    <message>
        <source>&amp;Full screen</source>
        <translation>P&amp;lein écran</translation>
    </message>
    <message>
        <source>&amp;Help</source>
        <translation>A&amp;ide</translation>
    </message>
    <message>
        <source>&amp;What is this?</source>
        <translation>&amp;Qu&apos;est-ce que c&apos;est&#xa0;?</translation>
    </message>
    <message>
        <source>Explains the part of the window that has the focus.</source>
        <translation>Explique la partie de la fenêtre qui a le focus.</translation>
    </message>
    <message>
        <source>&amp;First steps</source>
        <translation>&amp;Premiers pas</translation>
    </message>
    <message>
        <source>The three cards of the first start.</source>
        <translation>Les trois cartes du premier démarrage.</translation>
    </message>
    <message>
        <source>&amp;About Stridescope</source>
        <translation>À propos de &amp;Stridescope</translation>
    </message>
    <message>
        <source>Tool bar</source>
        <translation>Barre d&apos;outils</translation>
    </message>
    <message>
        <source>New tensor</source>
        <translation>Nouveau tenseur</translation>
    </message>
    <message>
        <source>Make a new tensor</source>
        <translation>Faire un nouveau tenseur</translation>
    </message>
    <message>
        <source>Search commands    Ctrl+Shift+P</source>
        <translation>Chercher une commande    Ctrl+Shift+P</translation>
    </message>
    <message>
        <source>Search commands</source>
        <translation>Chercher une commande</translation>
    </message>
    <message>
        <source>Every command and operation (Ctrl+Shift+P, Ctrl+K)</source>
        <translation>Toutes les commandes et opérations (Ctrl+Shift+P, Ctrl+K)</translation>
    </message>
    <message>
        <source>Search</source>
        <translation>Chercher</translation>
    </message>
    <message>
        <source>&amp;Show on stage</source>
        <translation>&amp;Montrer sur la scène</translation>
    </message>
    <message>
        <source>Light</source>
        <translation>Clair</translation>
    </message>
    <message>
        <source>Dark</source>
        <translation>Sombre</translation>
    </message>
    <message>
        <source>Switch to the light theme</source>
        <translation>Passer au thème clair</translation>
    </message>
    <message>
        <source>Switch to the dark theme</source>
        <translation>Passer au thème sombre</translation>
    </message>
    <message>
        <source> (gone)</source>
        <translation> (disparu)</translation>
    </message>
    <message>
        <source>No file was opened yet</source>
        <translation>Aucun fichier n&apos;a encore été ouvert</translation>
    </message>
    <message>
        <source>Select a tensor to see its operations</source>
        <translation>Choisissez un tenseur pour voir ses opérations</translation>
    </message>
    <message>
        <source>Other dtype</source>
        <translation>Autre dtype</translation>
    </message>
    <message>
        <source>%1: show why</source>
        <translation>%1&#xa0;: montrer pourquoi</translation>
    </message>
    <message>
        <source>Nothing was copied.</source>
        <translation>Rien n&apos;a été copié.</translation>
    </message>
    <message>
        <source>It would be %1; the clipboard is given %2 at most.</source>
        <translation>Cela ferait %1&#xa0;; le presse-papiers reçoit %2 au plus.</translation>
    </message>
    <message>
        <source>Copy a part of it, or save it as a file.</source>
        <translation>Copiez-en une partie, ou enregistrez-le dans un fichier.</translation>
    </message>
    <message>
        <source>%1 copied.</source>
        <translation>%1 copié.</translation>
    </message>
    <message>
        <source>The code of %1</source>
        <translation>Le code de %1</translation>
    </message>
    <message>
        <source>%1 was copied as a table.</source>
        <translation>%1 a été copié en tableau.</translation>
    </message>
    <message>
        <source>The card of %2 was copied as %1.</source>
        <translation>La carte de %2 a été copiée en %1.</translation>
    </message>
    <message>
        <source>The picture was copied as %1.</source>
        <translation>L&apos;image a été copiée en %1.</translation>
    </message>
    <message>
        <source>Asking for the clipboard …</source>
        <translation>On demande le presse-papiers…</translation>
    </message>
    <message>
        <source>The clipboard could not be read.</source>
        <translation>Le presse-papiers n&apos;a pas pu être lu.</translation>
    </message>
    <message>
        <source>The program that owns it did not answer within %1 s.</source>
        <translation>Le programme à qui il appartient n&apos;a pas répondu en %1 s.</translation>
    </message>
    <message>
        <source>Copy again, or save the data as a file and open that.</source>
        <translation>Copiez de nouveau, ou enregistrez les données dans un fichier et ouvrez-le.</translation>
    </message>
    <message>
        <source>The clipboard holds nothing that makes a tensor.</source>
        <translation>Le presse-papiers ne contient rien dont on fasse un tenseur.</translation>
    </message>
    <message>
        <source>Numbers as a table or list, a printed array, or a picture do.</source>
        <translation>Il faut des nombres en tableau ou en liste, un tableau affiché ou une image.</translation>
    </message>
    <message>
        <source>Nothing was pasted: another line is still being carried out.</source>
        <translation>Rien n&apos;a été collé&#xa0;: une autre ligne est encore en cours.</translation>
    </message>
    <message>
        <source>Wait for its end, or cancel it.</source>
        <translation>Attendez sa fin, ou annulez-la.</translation>
    </message>
    <message>
        <source>clipboard picture</source>
        <translation>image du presse-papiers</translation>
    </message>
    <message>
        <source>Paste picture</source>
        <translation>Coller une image</translation>
    </message>
    <message>
        <source>pasted %1</source>
        <translation>%1 collé</translation>
    </message>
    <message>
        <source>Paste %1</source>
        <translation>Coller %1</translation>
    </message>
    <message>
        <source>Pasted a %1 of %2 numbers.</source>
        <translation>Collé un %1 de %2 nombres.</translation>
    </message>
    <message>
        <source>Storages &amp; tensors</source>
        <translation>Stockages et tenseurs</translation>
    </message>
    <message>
        <source>Operations</source>
        <translation>Opérations</translation>
    </message>
    <message>
        <source>Inspector</source>
        <translation>Inspecteur</translation>
    </message>
    <message>
        <source>History and console</source>
        <translation>Historique et console</translation>
    </message>
    <message>
        <source>Storages and tensors</source>
        <translation>Stockages et tenseurs</translation>
    </message>
    <message>
        <source>Every storage with the tensors that are views of it. The eye shows or hides a tensor on the stage; Del removes the name.</source>
        <translation>Chaque stockage avec les tenseurs qui en sont des vues. L&apos;œil montre ou cache un tenseur sur la scène&#xa0;; Suppr retire le nom.</translation>
    </message>
    <message>
        <source>What the selected tensor can do, by cost: views move nothing, copies need new memory, and what is not possible says why.</source>
        <translation>Ce que peut le tenseur choisi, selon le coût&#xa0;: les vues ne déplacent rien, les copies prennent de la mémoire, et ce qui n&apos;est pas possible dit pourquoi.</translation>
    </message>
    <message>
        <source>Offset, size and stride of the selected tensor, to be changed by hand; the order in which it visits its storage; and what it costs in bytes.</source>
        <translation>Offset, size et stride du tenseur choisi, à changer à la main&#xa0;; l&apos;ordre dans lequel il visite son stockage&#xa0;; et ce qu&apos;il coûte en octets.</translation>
    </message>
    <message>
        <source>The steps so far, and a prompt for lines of PyTorch code. Up and Down recall lines.</source>
        <translation>Les étapes jusqu&apos;ici, et une invite pour des lignes de code PyTorch. Haut et Bas rappellent les lignes.</translation>
    </message>
    <message>
        <source>Tensors</source>
        <translation>Tenseurs</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>Ouvrir</translation>
    </message>
    <message>
        <source>Of %1 scripts the first was opened.</source>
        <translation>Des %1 scripts, le premier a été ouvert.</translation>
    </message>
    <message>
        <source>The others are in the list beside the pane&apos;s Open.</source>
        <translation>Les autres sont dans la liste à côté de «&#xa0;Ouvrir&#xa0;» du volet.</translation>
    </message>
    <message>
        <source>Opening %1</source>
        <translation>Ouverture de %1</translation>
    </message>
    <message>
        <source>and %1 more</source>
        <translation>et %1 de plus</translation>
    </message>
    <message>
        <source>holds no arrays.</source>
        <translation>ne contient pas de tableaux.</translation>
    </message>
    <message>
        <source>Open %1</source>
        <translation>Ouvrir %1</translation>
    </message>
    <message>
        <source>Cancelled.</source>
        <translation>Annulé.</translation>
    </message>
    <message>
        <source>%1 opened, %2 refused, %3 not tried.</source>
        <translation>%1 ouverts, %2 refusés, %3 non essayés.</translation>
    </message>
    <message>
        <source>The file was not opened.</source>
        <translation>Le fichier n&apos;a pas été ouvert.</translation>
    </message>
    <message>
        <source>%1 opened, %2 refused.</source>
        <translation>%1 ouverts, %2 refusés.</translation>
    </message>
    <message>
        <source>Not tried: %1. At once %2 files are opened.</source>
        <translation>Non essayé&#xa0;: %1. On ouvre %2 fichiers à la fois.</translation>
    </message>
    <message>
        <source>Not tried: %1 to %2. At once %3 files are opened.</source>
        <translation>Non essayés&#xa0;: %1 à %2. On ouvre %3 fichiers à la fois.</translation>
    </message>
    <message>
        <source>
and %1 more.</source>
        <translation>
et %1 de plus.</translation>
    </message>
    <message>
        <source>Open its whole records</source>
        <translation>Ouvrir ses enregistrements entiers</translation>
    </message>
    <message>
        <source>Open as unverified</source>
        <translation>Ouvrir comme non vérifié</translation>
    </message>
    <message>
        <source>Not tried:</source>
        <translation>Non essayés&#xa0;:</translation>
    </message>
    <message>
        <source>Open these files, too</source>
        <translation>Ouvrir ces fichiers aussi</translation>
    </message>
    <message>
        <source>Show all</source>
        <translation>Tout montrer</translation>
    </message>
    <message>
        <source>Open the next %1</source>
        <translation>Ouvrir les %1 suivants</translation>
    </message>
    <message>
        <source>%1 changed on disk</source>
        <translation>%1 a changé sur le disque</translation>
    </message>
    <message>
        <source>%1 files changed on disk</source>
        <translation>%1 fichiers ont changé sur le disque</translation>
    </message>
    <message>
        <source>It has %L1 bytes now and had %L2 when it was opened; values beyond its end read as 0.</source>
        <translation>Il a maintenant %L1 octets et en avait %L2 à l&apos;ouverture&#xa0;; au-delà de sa fin on lit 0.</translation>
    </message>
    <message>
        <source>What is shown may be a mixture of old and new values.</source>
        <translation>Ce qui est montré peut mêler les anciennes valeurs et les nouvelles.</translation>
    </message>
    <message>
        <source>%1 changed on disk while it was shown.</source>
        <translation>%1 a changé sur le disque pendant qu&apos;il était montré.</translation>
    </message>
    <message>
        <source>Open it again to see what it holds now.</source>
        <translation>Ouvrez-le de nouveau pour voir ce qu&apos;il contient maintenant.</translation>
    </message>
    <message>
        <source>Open it again</source>
        <translation>Ouvrir de nouveau</translation>
    </message>
    <message>
        <source>Drop to open %1.</source>
        <translation>Déposez pour ouvrir %1.</translation>
    </message>
    <message>
        <source>Drop to open these %1 files.</source>
        <translation>Déposez pour ouvrir ces %1 fichiers.</translation>
    </message>
    <message>
        <source>Drop to open %1 of %2 files.</source>
        <translation>Déposez pour ouvrir %1 fichiers sur %2.</translation>
    </message>
    <message>
        <source>Links are not fetched.</source>
        <translation>Les liens ne sont pas chargés.</translation>
    </message>
    <message>
        <source>Save the file on this computer first, then drop it here.</source>
        <translation>Enregistrez d&apos;abord le fichier sur cet ordinateur, puis déposez-le ici.</translation>
    </message>
    <message>
        <source>Drop to look into it.</source>
        <translation>Déposez pour y regarder.</translation>
    </message>
    <message>
        <source>Known are .npy, .npz, .safetensors, PNG, JPEG, BMP, PPM and PGM; others are refused.</source>
        <translation>Sont connus .npy, .npz, .safetensors, PNG, JPEG, BMP, PPM et PGM&#xa0;; les autres sont refusés.</translation>
    </message>
    <message>
        <source>%1 links were not fetched.</source>
        <translation>%1 liens n&apos;ont pas été chargés.</translation>
    </message>
    <message>
        <source>Working on %1</source>
        <translation>Travail sur %1</translation>
    </message>
    <message>
        <source>%1 overwrites %2: too much to keep.</source>
        <translation>%1 écrase %2&#xa0;: trop pour être gardé.</translation>
    </message>
    <message>
        <source>Nothing was changed yet. It could not be undone, and stopped half-way it would leave a part overwritten.</source>
        <translation>Rien n&apos;a encore été changé. On ne pourrait pas l&apos;annuler, et arrêté à mi-chemin il laisserait une partie écrasée.</translation>
    </message>
    <message>
        <source>Do it</source>
        <translation>Le faire</translation>
    </message>
    <message>
        <source>%1 was not run: another line is still being carried out.</source>
        <translation>%1 n&apos;a pas été exécuté&#xa0;: une autre ligne est encore en cours.</translation>
    </message>
    <message>
        <source>It is offered again at the end of that one, or cancel that one now.</source>
        <translation>Ce sera proposé de nouveau à la fin de celle-là, ou annulez-la maintenant.</translation>
    </message>
    <message>
        <source>%1 was not run: another line was being carried out.</source>
        <translation>%1 n&apos;a pas été exécuté&#xa0;: une autre ligne était en cours.</translation>
    </message>
    <message>
        <source>Run it now</source>
        <translation>L&apos;exécuter maintenant</translation>
    </message>
    <message>
        <source>%1 was cancelled.</source>
        <translation>%1 a été annulé.</translation>
    </message>
    <message>
        <source>F6 plays it element by element, up to its refusal</source>
        <translation>F6 le joue élément par élément, jusqu&apos;à son refus</translation>
    </message>
    <message>
        <source>%1 is not possible. Nothing was changed.</source>
        <translation>%1 n&apos;est pas possible. Rien n&apos;a été changé.</translation>
    </message>
    <message>
        <source>Play it</source>
        <translation>Le jouer</translation>
    </message>
    <message>
        <source>Show why</source>
        <translation>Montrer pourquoi</translation>
    </message>
    <message>
        <source>Lines are Python&apos;s from now on. The button beside the prompt switches that off.</source>
        <translation>Les lignes sont désormais celles de Python. Le bouton à côté de l’invite y met fin.</translation>
    </message>
    <message>
        <source>Run it in Python</source>
        <translation>L&apos;exécuter en Python</translation>
    </message>
    <message>
        <source>Pasted: %1 lines.</source>
        <translation>Collé&#xa0;: %1 lignes.</translation>
    </message>
    <message>
        <source>They stand at the prompt, where they can be changed. Ctrl+Enter runs them, too.</source>
        <translation>Elles sont à l&apos;invite, où l&apos;on peut les changer. Ctrl+Entrée les exécute aussi.</translation>
    </message>
    <message>
        <source>Run them</source>
        <translation>Les exécuter</translation>
    </message>
    <message>
        <source>%1 is possible.</source>
        <translation>%1 est possible.</translation>
    </message>
    <message>
        <source>Rename %1</source>
        <translation>Renommer %1</translation>
    </message>
    <message>
        <source>New name:</source>
        <translation>Nouveau nom&#xa0;:</translation>
    </message>
    <message>
        <source>Rename %1 to %2</source>
        <translation>Renommer %1 en %2</translation>
    </message>
    <message>
        <source>Printed</source>
        <translation>Affiché</translation>
    </message>
    <message>
        <source>Something went wrong inside the program: %1</source>
        <translation>Quelque chose n&apos;a pas marché dans le programme&#xa0;: %1</translation>
    </message>
    <message>
        <source>What was asked for last may be done in part. Tensors are kept, with their history.</source>
        <translation>La dernière demande a pu n&apos;être faite qu&apos;en partie. Les tenseurs sont gardés, avec leur historique.</translation>
    </message>
    <message>
        <source>Undo the last step, or save the tensors and start the program again.</source>
        <translation>Annulez la dernière étape, ou enregistrez les tenseurs et relancez le programme.</translation>
    </message>
    <message>
        <source> and %1 more</source>
        <translation> et %1 de plus</translation>
    </message>
    <message>
        <source>%1 was taken off the stage, which shows the newest four: its eye in the list brings it back.</source>
        <translation>%1 a quitté la scène, qui montre les quatre plus récents&#xa0;: son œil dans la liste le ramène.</translation>
    </message>
    <message>
        <source>%1 were taken off the stage, which shows the newest four: their eyes in the list bring them back.</source>
        <translation>%1 ont quitté la scène, qui montre les quatre plus récents&#xa0;: leurs yeux dans la liste les ramènent.</translation>
    </message>
    <message>
        <source>Show %1</source>
        <translation>Montrer %1</translation>
    </message>
    <message>
        <source>… and %1 more lines</source>
        <translation>… et %1 lignes de plus</translation>
    </message>
    <message>
        <source>Operations on %1</source>
        <translation>Opérations sur %1</translation>
    </message>
    <message>
        <source>not possible: show why</source>
        <translation>pas possible&#xa0;: montrer pourquoi</translation>
    </message>
    <message>
        <source> view</source>
        <translation> vue</translation>
    </message>
    <message>
        <source> copy</source>
        <translation> copie</translation>
    </message>
    <message>
        <source>%1.%2(…)</source>
        <translation>%1.%2(…)</translation>
    </message>
    <message>
        <source>%1 › %2</source>
        <translation>%1 › %2</translation>
    </message>
    <message>
        <source>not now</source>
        <translation>pas maintenant</translation>
    </message>
    <message>
        <source>Open recent</source>
        <translation>Ouvrir un fichier récent</translation>
    </message>
    <message>
        <source>gone</source>
        <translation>disparu</translation>
    </message>
    <message>
        <source>P&amp;resent this screen</source>
        <translation>&amp;Présenter cet écran</translation>
    </message>
    <message>
        <source>The picture alone, full screen, in letters that the last row can read. Esc leaves; the window is as before.</source>
        <translation>L&apos;image seule, en plein écran, en lettres que lit le dernier rang. Échap quitte&#xa0;; la fenêtre est comme avant.</translation>
    </message>
    <message>
        <source>R&amp;oom size</source>
        <translation>Taille de la &amp;salle</translation>
    </message>
    <message>
        <source>Room: small, letters of 2 % of the height</source>
        <translation>Salle&#xa0;: petite, lettres de 2 % de la hauteur</translation>
    </message>
    <message>
        <source>Room: lecture, letters of 3 %</source>
        <translation>Salle&#xa0;: cours, lettres de 3 %</translation>
    </message>
    <message>
        <source>Room: hall, letters of 4 %</source>
        <translation>Salle&#xa0;: amphithéâtre, lettres de 4 %</translation>
    </message>
    <message>
        <source>Another screen than this window&apos;s, where there is one</source>
        <translation>Un autre écran que celui de cette fenêtre, s&apos;il y en a un</translation>
    </message>
    <message>
        <source>%1, %2 × %3</source>
        <translation>%1, %2 × %3</translation>
    </message>
    <message>
        <source>&amp;Python</source>
        <translation>&amp;Python</translation>
    </message>
    <message>
        <source>&amp;Lines at the prompt are Python&apos;s</source>
        <translation>Les &amp;lignes de l&apos;invite sont du Python</translation>
    </message>
    <message>
        <source>Loops, functions, imports. Tensors stay the same ones.</source>
        <translation>Boucles, fonctions, imports. Les tenseurs restent les mêmes.</translation>
    </message>
    <message>
        <source>&amp;New script</source>
        <translation>&amp;Nouveau script</translation>
    </message>
    <message>
        <source>&amp;Open script…</source>
        <translation>&amp;Ouvrir un script…</translation>
    </message>
    <message>
        <source>&amp;Save script</source>
        <translation>&amp;Enregistrer le script</translation>
    </message>
    <message>
        <source>Save script &amp;as…</source>
        <translation>Enregistrer le script &amp;sous…</translation>
    </message>
    <message>
        <source>&amp;Run script</source>
        <translation>E&amp;xécuter le script</translation>
    </message>
    <message>
        <source>The whole script, or the rest of one that waits before a line.</source>
        <translation>Le script entier, ou le reste d&apos;un script qui attend devant une ligne.</translation>
    </message>
    <message>
        <source>The line that comes next is marked; the pictures show what was done so far.</source>
        <translation>La ligne qui suit est marquée&#xa0;; les images montrent ce qui a été fait jusque-là.</translation>
    </message>
    <message>
        <source>Run the next line, &amp;into functions</source>
        <translation>Exécuter la ligne suivante, en entrant dans les &amp;fonctions</translation>
    </message>
    <message>
        <source>A function of the script that the line calls is gone through line by line; its tensors are shown.</source>
        <translation>Une fonction du script qu&apos;appelle la ligne est parcourue ligne par ligne&#xa0;; ses tenseurs sont montrés.</translation>
    </message>
    <message>
        <source>S&amp;top Python</source>
        <translation>&amp;Arrêter Python</translation>
    </message>
    <message>
        <source>What it had done until then stands. Ctrl+C at the prompt does the same.</source>
        <translation>Ce qui était fait reste. Ctrl+C à l&apos;invite fait de même.</translation>
    </message>
    <message>
        <source>Tensors stay; functions, modules and all else that only Python has is lost.</source>
        <translation>Les tenseurs restent&#xa0;; les fonctions, les modules et tout ce que seul Python avait sont perdus.</translation>
    </message>
    <message>
        <source>Python s&amp;ettings…</source>
        <translation>Réglages de P&amp;ython…</translation>
    </message>
    <message>
        <source>Which Python is used, and how much memory it may take.</source>
        <translation>Quel Python est utilisé, et combien de mémoire il peut prendre.</translation>
    </message>
    <message>
        <source>Python is found by itself from now on.</source>
        <translation>Désormais Python est cherché tout seul.</translation>
    </message>
    <message>
        <source>%1 is the Python from now on.</source>
        <translation>Python est désormais %1.</translation>
    </message>
    <message>
        <source>Python is working on %1</source>
        <translation>Python travaille sur %1</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>Arrêter</translation>
    </message>
    <message>
        <source>%1 was not run.</source>
        <translation>%1 n&apos;a pas été exécuté.</translation>
    </message>
    <message>
        <source>Another line is still being carried out, or a tensor is being saved: wait for its end.</source>
        <translation>Une autre ligne est encore en cours, ou un tenseur est en train d&apos;être enregistré&#xa0;: attendez la fin.</translation>
    </message>
    <message>
        <source>Start Python again</source>
        <translation>Relancer Python</translation>
    </message>
    <message>
        <source>Python settings…</source>
        <translation>Réglages de Python…</translation>
    </message>
    <message>
        <source>%1 comes next.</source>
        <translation>%1 vient ensuite.</translation>
    </message>
    <message>
        <source>%1 comes next; %2 wait in all.</source>
        <translation>%1 vient ensuite&#xa0;; %2 attendent en tout.</translation>
    </message>
    <message>
        <source>%1 was stopped: KeyboardInterrupt.</source>
        <translation>%1 a été arrêté&#xa0;: KeyboardInterrupt.</translation>
    </message>
    <message>
        <source>What it had done until then stands; it can be undone.</source>
        <translation>Ce qui était fait reste&#xa0;; on peut l&apos;annuler.</translation>
    </message>
    <message>
        <source>The thread %1 goes on in the background.</source>
        <translation>Le thread %1 continue à l&apos;arrière-plan.</translation>
    </message>
    <message>
        <source>The threads %1 go on in the background.</source>
        <translation>Les threads %1 continuent à l&apos;arrière-plan.</translation>
    </message>
    <message>
        <source>Stop the thread</source>
        <translation>Arrêter le thread</translation>
    </message>
    <message>
        <source>Stop the threads</source>
        <translation>Arrêter les threads</translation>
    </message>
    <message>
        <source>%1 ended with an error.</source>
        <translation>%1 s&apos;est terminé par une erreur.</translation>
    </message>
    <message>
        <source>Run import torch</source>
        <translation>Exécuter import torch</translation>
    </message>
    <message>
        <source>%1 is known to Python only (%2). Switch Python on beside the prompt to use it.</source>
        <translation>%1 n&apos;est connu que de Python (%2). Activez Python à côté de l&apos;invite pour l&apos;utiliser.</translation>
    </message>
    <message>
        <source>%1 was not saved: another file is being written.</source>
        <translation>%1 n&apos;a pas été enregistré&#xa0;: un autre fichier est en cours d&apos;écriture.</translation>
    </message>
    <message>
        <source>%1 was not saved: a line is still being carried out.</source>
        <translation>%1 n&apos;a pas été enregistré&#xa0;: une ligne est encore en cours.</translation>
    </message>
    <message>
        <source>Saving %1</source>
        <translation>Enregistrement de %1</translation>
    </message>
    <message>
        <source>Saved %1.</source>
        <translation>%1 enregistré.</translation>
    </message>
    <message>
        <source>Saving %1 was cancelled.</source>
        <translation>L&apos;enregistrement de %1 a été annulé.</translation>
    </message>
    <message>
        <source>%1 was not saved.</source>
        <translation>%1 n&apos;a pas été enregistré.</translation>
    </message>
    <message>
        <source>Save elsewhere…</source>
        <translation>Enregistrer ailleurs…</translation>
    </message>
    <message>
        <source>Save %1</source>
        <translation>Enregistrer %1</translation>
    </message>
    <message>
        <source>NumPy array (*.npy)</source>
        <translation>Tableau NumPy (*.npy)</translation>
    </message>
    <message>
        <source>Save all tensors</source>
        <translation>Enregistrer tous les tenseurs</translation>
    </message>
    <message>
        <source>NumPy archive (*.npz)</source>
        <translation>Archive NumPy (*.npz)</translation>
    </message>
    <message>
        <source>Export picture</source>
        <translation>Exporter l&apos;image</translation>
    </message>
    <message>
        <source>These tensors are not saved: %1.</source>
        <translation>Ces tenseurs ne sont pas enregistrés&#xa0;: %1.</translation>
    </message>
    <message>
        <source>%1 has changes that are not saved: %2.</source>
        <translation>%1 a des changements qui ne sont pas enregistrés&#xa0;: %2.</translation>
    </message>
    <message>
        <source>The last act was: %1</source>
        <translation>La dernière action était&#xa0;: %1</translation>
    </message>
    <message>
        <source>Save session…</source>
        <translation>Enregistrer la session…</translation>
    </message>
    <message>
        <source>Save session</source>
        <translation>Enregistrer la session</translation>
    </message>
    <message>
        <source>The window closes when the file is written.</source>
        <translation>La fenêtre se ferme quand le fichier est écrit.</translation>
    </message>
    <message>
        <source>Cancel saving</source>
        <translation>Annuler l&apos;enregistrement</translation>
    </message>
    <message>
        <source>Close without saving</source>
        <translation>Fermer sans enregistrer</translation>
    </message>
    <message>
        <source>Screens</source>
        <translation>Écrans</translation>
    </message>
    <message>
        <source>Screen: %1. Choose another one.</source>
        <translation>Écran&#xa0;: %1. En choisir un autre.</translation>
    </message>
    <message>
        <source>Screen: %1</source>
        <translation>Écran&#xa0;: %1</translation>
    </message>
    <message>
        <source>Zoom &amp;in</source>
        <translation>&amp;Agrandir</translation>
    </message>
    <message>
        <source>About the middle of the picture.</source>
        <translation>Autour du milieu de l&apos;image.</translation>
    </message>
    <message>
        <source>Zoom &amp;out</source>
        <translation>Réduir&amp;e</translation>
    </message>
    <message>
        <source>Until the whole storage, or all images, are in sight.</source>
        <translation>Jusqu&apos;à ce que tout le stockage, ou toutes les images, soient en vue.</translation>
    </message>
    <message>
        <source>&amp;Actual size</source>
        <translation>&amp;Taille réelle</translation>
    </message>
    <message>
        <source>Cells at their usual size; of images one pixel of the screen for each.</source>
        <translation>Les cases à leur taille habituelle&#xa0;; pour les images, un pixel de l&apos;écran chacun.</translation>
    </message>
    <message>
        <source>&amp;Fit whole storage</source>
        <translation>Voir tout le stoc&amp;kage</translation>
    </message>
    <message>
        <source>Everything in sight: where several elements share a pixel it shows the highest and the lowest of them.</source>
        <translation>Tout en vue&#xa0;: là où plusieurs éléments partagent un pixel, il montre le plus grand et le plus petit.</translation>
    </message>
    <message>
        <source>%1[*] – Stridescope</source>
        <translation>%1[*] – Stridescope</translation>
    </message>
    <message>
        <source>Stridescope session (*.stridescope)</source>
        <translation>Session Stridescope (*.stridescope)</translation>
    </message>
    <message>
        <source>%1 was not saved: it is open in another window.</source>
        <translation>%1 n&apos;a pas été enregistré&#xa0;: il est ouvert dans une autre fenêtre.</translation>
    </message>
    <message>
        <source>The window of process %1 has it.</source>
        <translation>La fenêtre du processus %1 l&apos;a.</translation>
    </message>
    <message>
        <source>Save under another name.</source>
        <translation>Enregistrez sous un autre nom.</translation>
    </message>
    <message>
        <source>Storage #%1 stays in %2 (%3); the session needs that file as it is.</source>
        <translation>Le stockage #%1 reste dans %2 (%3)&#xa0;; la session a besoin de ce fichier tel qu&apos;il est.</translation>
    </message>
    <message>
        <source>Open %1 without saving</source>
        <translation>Ouvrir %1 sans enregistrer</translation>
    </message>
    <message>
        <source>it is open in another window</source>
        <translation>il est ouvert dans une autre fenêtre</translation>
    </message>
    <message>
        <source>%1 is open in the window of process %2: this is a copy, saved under a name of its own.</source>
        <translation>%1 est ouvert dans la fenêtre du processus %2&#xa0;: ceci est une copie, enregistrée sous un nom à elle.</translation>
    </message>
    <message>
        <source>it was written by a later version</source>
        <translation>il a été écrit par une version plus récente</translation>
    </message>
    <message>
        <source>%1 was written by a later version (format %2, known is %3): it is left as it is, and what you do is saved under another name.</source>
        <translation>%1 a été écrit par une version plus récente (format %2, connu&#xa0;: %3)&#xa0;: il est laissé tel quel, et ce que vous faites est enregistré sous un autre nom.</translation>
    </message>
    <message>
        <source>not all of it could be opened</source>
        <translation>tout n&apos;a pas pu être ouvert</translation>
    </message>
    <message>
        <source>it was done before the session was saved</source>
        <translation>cela a été fait avant que la session soit enregistrée</translation>
    </message>
    <message>
        <source>%1 (%2)</source>
        <translation>%1 (%2)</translation>
    </message>
    <message>
        <source>Some tensors lie in other files, which are opened when you say so: %1.</source>
        <translation>Des tenseurs sont dans d&apos;autres fichiers, qui sont ouverts quand vous le dites&#xa0;: %1.</translation>
    </message>
    <message>
        <source># %1 earlier lines, as text:</source>
        <translation># %1 lignes antérieures, en texte&#xa0;:</translation>
    </message>
    <message>
        <source>Nothing was copied: a line is still being carried out.</source>
        <translation>Rien n&apos;a été copié&#xa0;: une ligne est encore en cours.</translation>
    </message>
    <message>
        <source>The lines of the history had no room.</source>
        <translation>Il n&apos;y avait pas de place pour les lignes de l&apos;historique.</translation>
    </message>
    <message>
        <source>The state was not copied.</source>
        <translation>L&apos;état n&apos;a pas été copié.</translation>
    </message>
    <message>
        <source>The state was copied as a text of %L1 characters.</source>
        <translation>L&apos;état a été copié en un texte de %L1 caractères.</translation>
    </message>
    <message>
        <source>Paste it here, or in another window, with Ctrl+Shift+V.</source>
        <translation>Collez-le ici, ou dans une autre fenêtre, par Ctrl+Shift+V.</translation>
    </message>
    <message>
        <source>The state was not opened.</source>
        <translation>L&apos;état n&apos;a pas été ouvert.</translation>
    </message>
    <message>
        <source>Open the state without saving</source>
        <translation>Ouvrir l&apos;état sans enregistrer</translation>
    </message>
    <message>
        <source>it was done before the state was copied</source>
        <translation>cela a été fait avant que l&apos;état soit copié</translation>
    </message>
    <message>
        <source>Opened a state of %1 tensors.</source>
        <translation>Ouvert un état de %1 tenseurs.</translation>
    </message>
    <message>
        <source>What you do is not kept safe from a crash.</source>
        <translation>Ce que vous faites n&apos;est pas à l&apos;abri d&apos;un plantage.</translation>
    </message>
    <message>
        <source>Save the session; it is tried again with the next step.</source>
        <translation>Enregistrez la session&#xa0;; un nouvel essai est fait à l&apos;étape suivante.</translation>
    </message>
    <message>
        <source>Too large to be brought back after a crash: %1.</source>
        <translation>Trop grand pour être ramené après un plantage&#xa0;: %1.</translation>
    </message>
    <message>
        <source>More than %1 each.</source>
        <translation>Plus de %1 chacun.</translation>
    </message>
    <message>
        <source>The last %1 of the journal are cut or damaged and are left out.</source>
        <translation>Les %1 derniers du journal sont coupés ou abîmés et sont laissés de côté.</translation>
    </message>
    <message>
        <source>no tensors</source>
        <translation>aucun tenseur</translation>
    </message>
    <message>
        <source>Recover</source>
        <translation>Récupérer</translation>
    </message>
    <message>
        <source>Discard</source>
        <translation>Jeter</translation>
    </message>
    <message>
        <source>Recover without saving</source>
        <translation>Récupérer sans enregistrer</translation>
    </message>
    <message>
        <source>it was done before the program ended unexpectedly</source>
        <translation>cela a été fait avant que le programme se termine de façon inattendue</translation>
    </message>
    <message>
        <source>Recovered %1 tensors.</source>
        <translation>%1 tenseurs récupérés.</translation>
    </message>
    <message>
        <source>They are not saved yet.</source>
        <translation>Ils ne sont pas encore enregistrés.</translation>
    </message>
    <message>
        <source>Th&amp;eme</source>
        <translation>T&amp;hème</translation>
    </message>
    <message>
        <source>Reset layo&amp;ut</source>
        <translation>Réinitialiser la &amp;disposition</translation>
    </message>
    <message>
        <source>&amp;Language</source>
        <translation>La&amp;ngue</translation>
    </message>
    <message>
        <source>as the system</source>
        <translation>comme le système</translation>
    </message>
    <message>
        <source>Language: %1</source>
        <translation>Langue&#xa0;: %1</translation>
    </message>
    <message>
        <source>Present o&amp;n</source>
        <translation>Présenter s&amp;ur</translation>
    </message>
    <message>
        <source>Run the ne&amp;xt line of the script</source>
        <translation>Exécuter la ligne s&amp;uivante du script</translation>
    </message>
    <message>
        <source>Start Python a&amp;gain</source>
        <translation>&amp;Relancer Python</translation>
    </message>
    <message>
        <source>Sessions, arrays, pictures, lessons and scripts (*.stridescope *.npy *.npz *.safetensors *.png *.jpg *.jpeg *.bmp *.ppm *.pgm *.pnm *.lesson *.py);;All files (*)</source>
        <translation>Sessions, tableaux, images, leçons et scripts (*.stridescope *.npy *.npz *.safetensors *.png *.jpg *.jpeg *.bmp *.ppm *.pgm *.pnm *.lesson *.py);;Tous les fichiers (*)</translation>
    </message>
    <message>
        <source>;;Animated GIF (*.gif);;Animated WebP (*.webp);;Page that plays (*.html);;Pictures one by one (*-%03d.png)</source>
        <translation>;;GIF animé (*.gif);;WebP animé (*.webp);;Page qui joue (*.html);;Images une à une (*-%03d.png)</translation>
    </message>
    <message>
        <source>Stridescope ended unexpectedly. What was there at %1 can be brought back: %2.</source>
        <translation>Stridescope s&apos;est terminé de façon inattendue. Ce qui était là à %1 peut être ramené&#xa0;: %2.</translation>
    </message>
    <message>
        <source>Import torch and run it again</source>
        <translation>Importer torch et réessayer</translation>
    </message>
    <message>
        <source>Run them in Python</source>
        <translation>Les exécuter en Python</translation>
    </message>
    <message>
        <source>The script waits at one of its lines: Step or Run goes on with it, Stop ends it.</source>
        <translation>Le script attend à l&apos;une de ses lignes&#xa0;: Pas à pas ou Exécuter le poursuit, Arrêter y met fin.</translation>
    </message>
    <message>
        <source>Contiguity &amp;walk</source>
        <translation>&amp;Parcours de contiguïté</translation>
    </message>
    <message>
        <source>&amp;Bytes of view and copy</source>
        <translation>&amp;Octets de la vue et de la copie</translation>
    </message>
    <message>
        <source>Where a value comes fr&amp;om</source>
        <translation>D&apos;où &amp;vient une valeur</translation>
    </message>
    <message>
        <source>Start lesson %1: %2</source>
        <translation>Commencer la leçon %1&#xa0;: %2</translation>
    </message>
    <message>
        <source>Lessons</source>
        <translation>Leçons</translation>
    </message>
    <message>
        <source>SVG (*.svg);;PDF (*.pdf);;PNG (*.png);;LaTeX (*.tex);;TikZ picture (*.tikz);;Plain text (*.txt)</source>
        <translation>SVG (*.svg);;PDF (*.pdf);;PNG (*.png);;LaTeX (*.tex);;Image TikZ (*.tikz);;Texte (*.txt)</translation>
    </message>
    <message>
        <source>%1 was refused: no cell moved, so nothing can be played.</source>
        <translation>%1 a été refusé : aucune cellule n&apos;a bougé, il n&apos;y a donc rien à jouer.</translation>
    </message>
    <message>
        <source>Play the step before it</source>
        <translation>Jouer l&apos;étape précédente</translation>
    </message>
    <message>
        <source>n</source>
        <translation>n</translation>
    </message>
    <message>
        <source>%1 is not read without Python. Nothing was changed.</source>
        <translation>%1 ne se lit pas sans Python. Rien n&apos;a été changé.</translation>
    </message>
</context>
<context>
    <name>stridescope::MessageBar</name>
    <message>
        <source>Close</source>
        <translation>Fermer</translation>
    </message>
    <message>
        <source>Message</source>
        <translation>Message</translation>
    </message>
    <message>
        <source>Show the next message that is still here</source>
        <translation>Montrer le message suivant encore présent</translation>
    </message>
    <message>
        <source>%1 more</source>
        <translation>%1 de plus</translation>
    </message>
    <message>
        <source>Show less</source>
        <translation>Montrer moins</translation>
    </message>
    <message>
        <source>Show all</source>
        <translation>Tout montrer</translation>
    </message>
    <message>
        <source>All of the message</source>
        <translation>Le message entier</translation>
    </message>
</context>
<context>
    <name>stridescope::MotionScreen</name>
    <message>
        <source>Motion</source>
        <translation>Mouvement</translation>
    </message>
    <message>
        <source>What an operation moves, from the record of it. Space plays, Left and Right step, Home and End go to the ends, Escape ends the motion; Up and Down choose another step.</source>
        <translation>Ce que déplace une opération, d&apos;après ce qui en a été noté. Espace joue, Gauche et Droite avancent d&apos;un pas, Début et Fin vont aux bouts, Échap finit le mouvement&#xa0;; Haut et Bas choisissent une autre étape.</translation>
    </message>
    <message>
        <source>Nothing to play yet</source>
        <translation>Rien à jouer encore</translation>
    </message>
    <message>
        <source>Each operation that you type, drag or run can be played here, step by step.</source>
        <translation>Chaque opération que vous tapez, glissez ou exécutez peut être jouée ici, pas à pas.</translation>
    </message>
    <message>
        <source>Earlier step</source>
        <translation>Étape plus ancienne</translation>
    </message>
    <message>
        <source>The step of the history before this one (Up)</source>
        <translation>L&apos;étape de l&apos;historique avant celle-ci (Haut)</translation>
    </message>
    <message>
        <source>Later step</source>
        <translation>Étape plus récente</translation>
    </message>
    <message>
        <source>The step of the history after this one (Down)</source>
        <translation>L&apos;étape de l&apos;historique après celle-ci (Bas)</translation>
    </message>
    <message>
        <source>Operations of this step</source>
        <translation>Opérations de cette étape</translation>
    </message>
    <message>
        <source>A step may be made of several operations</source>
        <translation>Une étape peut être faite de plusieurs opérations</translation>
    </message>
    <message>
        <source>Step %1 of %2: %3</source>
        <translation>Étape %1 sur %2&#xa0;: %3</translation>
    </message>
    <message>
        <source>Refused: %1</source>
        <translation>Refusé&#xa0;: %1</translation>
    </message>
    <message>
        <source>None of these steps can be played again</source>
        <translation>Aucune de ces étapes ne peut être rejouée</translation>
    </message>
    <message>
        <source>What an operation moved is kept while the program runs, and these steps were done before. Their lines are carried out again on what there is now, on copies; the last one, %1, cannot be: %2 Type it anew where its tensors are, or any other line, and it is played here.</source>
        <translation>Ce qu&apos;une opération a déplacé est gardé tant que le programme tourne, et ces étapes datent d&apos;avant. Leurs lignes sont exécutées de nouveau sur ce qu&apos;il y a maintenant, sur des copies&#xa0;; la dernière, %1, ne peut l&apos;être&#xa0;: %2 Tapez-la de nouveau là où sont ses tenseurs, ou toute autre ligne, et elle est jouée ici.</translation>
    </message>
    <message>
        <source>Step %1 of %2, again on what there is now: %3</source>
        <translation>Étape %1 sur %2, de nouveau sur ce qu&apos;il y a maintenant&#xa0;: %3</translation>
    </message>
    <message>
        <source>Tried on copies: %1</source>
        <translation>Essayé sur des copies&#xa0;: %1</translation>
    </message>
</context>
<context>
    <name>stridescope::MotionView</name>
    <message>
        <source>Picture of the operation</source>
        <translation>Image de l&apos;opération</translation>
    </message>
    <message>
        <source>slot %1 of %2 · value %3</source>
        <translation>emplacement %1 sur %2 · valeur %3</translation>
    </message>
    <message>
        <source>storage #%1</source>
        <translation>stockage #%1</translation>
    </message>
    <message>
        <source>its storage</source>
        <translation>son stockage</translation>
    </message>
</context>
<context>
    <name>stridescope::OperationForm</name>
    <message>
        <source>The sizes of another tensor, with stride 0.</source>
        <translation>Les tailles d&apos;un autre tenseur, avec stride 0.</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>Lancer</translation>
    </message>
    <message>
        <source>Show why</source>
        <translation>Montrer pourquoi</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Fermer</translation>
    </message>
    <message>
        <source>The tensor whose size is wanted</source>
        <translation>Le tenseur dont la taille est voulue</translation>
    </message>
    <message>
        <source>none legal</source>
        <translation>aucune permise</translation>
    </message>
    <message>
        <source>%1 or more</source>
        <translation>%1 ou plus</translation>
    </message>
    <message>
        <source>Select a tensor first.</source>
        <translation>Choisissez d&apos;abord un tenseur.</translation>
    </message>
    <message>
        <source>size %1</source>
        <translation>size %1</translation>
    </message>
    <message>
        <source>✓ copies %1 to a new storage</source>
        <translation>✓ copie %1 dans un nouveau stockage</translation>
    </message>
    <message>
        <source>✓ a view, no element moves</source>
        <translation>✓ une vue, aucun élément ne bouge</translation>
    </message>
    <message>
        <source>stride %1</source>
        <translation>stride %1</translation>
    </message>
    <message>
        <source>, %1 pieces</source>
        <translation>, %1 morceaux</translation>
    </message>
    <message>
        <source>Operation on %1</source>
        <translation>Opération sur %1</translation>
    </message>
    <message>
        <source>Operation</source>
        <translation>Opération</translation>
    </message>
    <message>
        <source>other is the name of a tensor</source>
        <translation>other est le nom d&apos;un tenseur</translation>
    </message>
    <message>
        <source>no tensor is called %1</source>
        <translation>aucun tenseur ne s&apos;appelle %1</translation>
    </message>
    <message>
        <source>%1 is one number, found %2</source>
        <translation>%1 est un seul nombre, trouvé %2</translation>
    </message>
</context>
<context>
    <name>stridescope::OperationsPanel</name>
    <message>
        <source>Operations on the selected tensor</source>
        <translation>Opérations sur le tenseur choisi</translation>
    </message>
    <message>
        <source>Any operation by form</source>
        <translation>Toute opération par formulaire</translation>
    </message>
    <message>
        <source>Nothing to do yet</source>
        <translation>Rien à faire encore</translation>
    </message>
    <message>
        <source>What a tensor can do stands here, by what it costs.</source>
        <translation>Ce que peut un tenseur est ici, selon ce que cela coûte.</translation>
    </message>
    <message>
        <source>Nothing is selected</source>
        <translation>Rien n&apos;est choisi</translation>
    </message>
    <message>
        <source>What the selected tensor can do stands here.</source>
        <translation>Ce que peut le tenseur choisi est ici.</translation>
    </message>
    <message>
        <source>Select %1</source>
        <translation>Choisir %1</translation>
    </message>
    <message>
        <source>Operations on %1</source>
        <translation>Opérations sur %1</translation>
    </message>
    <message>
        <source>View: no element moves, +0 B</source>
        <translation>Vue&#xa0;: aucun élément ne bouge, +0 B</translation>
    </message>
    <message>
        <source>Copy: a new storage, +%1</source>
        <translation>Copie&#xa0;: un nouveau stockage, +%1</translation>
    </message>
    <message>
        <source>Other dtype: always a copy</source>
        <translation>Autre dtype&#xa0;: toujours une copie</translation>
    </message>
    <message>
        <source>✗ Not possible, and why</source>
        <translation>✗ Pas possible, et pourquoi</translation>
    </message>
</context>
<context>
    <name>stridescope::PixelPanel</name>
    <message>
        <source>Picked pixel</source>
        <translation>Pixel choisi</translation>
    </message>
    <message>
        <source>%1 is %2 at slot %3</source>
        <translation>%1 est %2 à l&apos;emplacement %3</translation>
    </message>
    <message>
        <source>Image %1, row %2, column %3: %4</source>
        <translation>Image %1, ligne %2, colonne %3&#xa0;: %4</translation>
    </message>
    <message>
        <source>Slot in the storage</source>
        <translation>Emplacement dans le stockage</translation>
    </message>
    <message>
        <source>value</source>
        <translation>valeur</translation>
    </message>
    <message>
        <source>slot</source>
        <translation>empl.</translation>
    </message>
    <message>
        <source>byte</source>
        <translation>octet</translation>
    </message>
    <message>
        <source>at 0x%1 in memory</source>
        <translation>à 0x%1 en mémoire</translation>
    </message>
    <message>
        <source>Pixel</source>
        <translation>Pixel</translation>
    </message>
    <message>
        <source>Image %1, row %2, column %3</source>
        <translation>Image %1, ligne %2, colonne %3</translation>
    </message>
    <message>
        <source>Click a pixel to see its numbers and where they lie. Arrows move one pixel, with Ctrl one image.</source>
        <translation>Cliquez un pixel pour voir ses nombres et où ils sont. Les flèches avancent d&apos;un pixel, avec Ctrl d&apos;une image.</translation>
    </message>
</context>
<context>
    <name>stridescope::PredictBar</name>
    <message>
        <source>Check</source>
        <translation>Vérifier</translation>
    </message>
    <message>
        <source>Show me</source>
        <translation>Montrer</translation>
    </message>
    <message>
        <source>Write it like this: %1</source>
        <translation>Écrivez-le ainsi&#xa0;: %1</translation>
    </message>
    <message>
        <source>✓ Right. </source>
        <translation>✓ Juste. </translation>
    </message>
    <message>
        <source>✗ Not that. </source>
        <translation>✗ Pas cela. </translation>
    </message>
</context>
<context>
    <name>stridescope::PresenterBar</name>
    <message>
        <source>Last line: %1</source>
        <translation>Dernière ligne&#xa0;: %1</translation>
    </message>
    <message>
        <source>Stage %1 of %2: %3</source>
        <translation>Étape %1 sur %2&#xa0;: %3</translation>
    </message>
    <message>
        <source>Presenter</source>
        <translation>Présentateur</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 sur %2</translation>
    </message>
</context>
<context>
    <name>stridescope::PresenterWindow</name>
    <message>
        <source>Stridescope: presenting</source>
        <translation>Stridescope&#xa0;: présentation</translation>
    </message>
    <message>
        <source>Presentation</source>
        <translation>Présentation</translation>
    </message>
    <message>
        <source>Space and Page Down show the next stage, Page Up the one before. B blanks the picture, S lights the selected view alone, W changes light and dark, R the size of the room, Ctrl+L types a line, Esc leaves.</source>
        <translation>Espace et Page suivante montrent l&apos;étape suivante, Page précédente celle d&apos;avant. B éteint l&apos;image, S éclaire la vue choisie seule, W change clair et sombre, R la taille de la salle, Ctrl+L tape une ligne, Échap quitte.</translation>
    </message>
    <message>
        <source>Line of code</source>
        <translation>Ligne de code</translation>
    </message>
    <message>
        <source>… more in the console</source>
        <translation>… plus dans la console</translation>
    </message>
    <message>
        <source>Blank</source>
        <translation>Éteindre</translation>
    </message>
    <message>
        <source>Spotlight</source>
        <translation>Projecteur</translation>
    </message>
    <message>
        <source>Spotlight off</source>
        <translation>Sans projecteur</translation>
    </message>
    <message>
        <source>Dark</source>
        <translation>Sombre</translation>
    </message>
    <message>
        <source>Light</source>
        <translation>Clair</translation>
    </message>
    <message>
        <source>Room: small</source>
        <translation>Salle&#xa0;: petite</translation>
    </message>
    <message>
        <source>Room: lecture</source>
        <translation>Salle&#xa0;: cours</translation>
    </message>
    <message>
        <source>Room: hall</source>
        <translation>Salle&#xa0;: amphi</translation>
    </message>
</context>
<context>
    <name>stridescope::PythonConsole</name>
    <message>
        <source>exit() ends the code only; Python and its names are still there.</source>
        <translation>exit() ne finit que le code&#xa0;; Python et ses noms sont toujours là.</translation>
    </message>
    <message>
        <source>The thread %1 goes on in the background.</source>
        <translation>Le thread %1 continue à l&apos;arrière-plan.</translation>
    </message>
    <message>
        <source>What waited was not run: %1</source>
        <translation>Ce qui attendait n&apos;a pas été exécuté&#xa0;: %1</translation>
    </message>
    <message>
        <source>What waited was not run: %1 and %2 more</source>
        <translation>Ce qui attendait n&apos;a pas été exécuté&#xa0;: %1 et %2 de plus</translation>
    </message>
    <message>
        <source>line by line</source>
        <translation>ligne par ligne</translation>
    </message>
    <message>
        <source>run</source>
        <translation>lancer</translation>
    </message>
    <message>
        <source>… %1 lines dropped</source>
        <translation>… %1 lignes supprimées</translation>
    </message>
</context>
<context>
    <name>stridescope::PythonRunner</name>
    <message>
        <source>%1, line %2 to the end</source>
        <translation>%1, de la ligne %2 à la fin</translation>
    </message>
    <message>
        <source>1 operation</source>
        <translation>1 opération</translation>
    </message>
    <message>
        <source>%1 operations</source>
        <translation>%1 opérations</translation>
    </message>
    <message>
        <source>%1: %2 lines, %3</source>
        <translation>%1&#xa0;: %2 lignes, %3</translation>
    </message>
</context>
<context>
    <name>stridescope::PythonSettingsDialog</name>
    <message>
        <source>Python settings</source>
        <translation>Réglages de Python</translation>
    </message>
    <message>
        <source>found by itself</source>
        <translation>cherché tout seul</translation>
    </message>
    <message>
        <source>Browse…</source>
        <translation>Parcourir…</translation>
    </message>
    <message>
        <source>Python interpreter</source>
        <translation>Interpréteur Python</translation>
    </message>
    <message>
        <source>half of this machine&apos;s memory (%1)</source>
        <translation>la moitié de la mémoire de cette machine (%1)</translation>
    </message>
    <message>
        <source>as many GB as</source>
        <translation>ce nombre de Go</translation>
    </message>
    <message>
        <source>no limit</source>
        <translation>aucune limite</translation>
    </message>
    <message>
        <source>Memory limit in GB</source>
        <translation>Limite de mémoire en Go</translation>
    </message>
    <message>
        <source> GB</source>
        <translation> Go</translation>
    </message>
    <message>
        <source>Interpreter</source>
        <translation>Interpréteur</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>Mémoire</translation>
    </message>
    <message>
        <source>Memory limit</source>
        <translation>Limite de mémoire</translation>
    </message>
    <message>
        <source>Running now: Python %1, %2, %3.</source>
        <translation>En marche&#xa0;: Python %1, %2, %3.</translation>
    </message>
    <message>
        <source>at most %1</source>
        <translation>au plus %1</translation>
    </message>
    <message>
        <source>no memory limit</source>
        <translation>sans limite de mémoire</translation>
    </message>
    <message>
        <source>No Python is running now.</source>
        <translation>Aucun Python n&apos;est en marche.</translation>
    </message>
    <message>
        <source> It is started again with what is chosen here: tensors stay, other Python names are lost.</source>
        <translation> Il est relancé avec ce qui est choisi ici&#xa0;: les tenseurs restent, les autres noms de Python sont perdus.</translation>
    </message>
    <message>
        <source>Use and start again</source>
        <translation>Utiliser et relancer</translation>
    </message>
    <message>
        <source>Use</source>
        <translation>Utiliser</translation>
    </message>
    <message>
        <source>Nothing was changed: %1</source>
        <translation>Rien n&apos;a été changé&#xa0;: %1</translation>
    </message>
    <message>
        <source>the limit is %1 and this machine has %2.</source>
        <translation>la limite est %1 et cette machine a %2.</translation>
    </message>
    <message>
        <source>Choose less, or no limit.</source>
        <translation>Choisissez moins, ou aucune limite.</translation>
    </message>
    <message>
        <source>Name a CPython 3.11, say /usr/bin/python3.11, or leave the field empty to have one looked for.</source>
        <translation>Nommez un CPython 3.11, par exemple /usr/bin/python3.11, ou laissez le champ vide pour qu&apos;il soit cherché.</translation>
    </message>
    <message>
        <source>Starting %1, to see whether it can be used. It has %2 s.</source>
        <translation>Démarrage de %1, pour voir s&apos;il peut servir. Il a %2 s.</translation>
    </message>
    <message>
        <source>a Python</source>
        <translation>un Python</translation>
    </message>
</context>
<context>
    <name>stridescope::RangeControl</name>
    <message>
        <source> less</source>
        <translation> moins</translation>
    </message>
    <message>
        <source> more</source>
        <translation> plus</translation>
    </message>
    <message>
        <source> slider</source>
        <translation> curseur</translation>
    </message>
    <message>
        <source>any: size 1</source>
        <translation>tout&#xa0;: size 1</translation>
    </message>
    <message>
        <source>elements</source>
        <translation>éléments</translation>
    </message>
    <message>
        <source>none</source>
        <translation>aucune</translation>
    </message>
    <message>
        <source>No value of this number alone brings the view inside its storage.</source>
        <translation>Aucune valeur de ce nombre seul ne ramène la vue dans son stockage.</translation>
    </message>
    <message>
        <source>any</source>
        <translation>tout</translation>
    </message>
    <message>
        <source>The storage sets no end to this number while all else stays.</source>
        <translation>Le stockage ne met pas de borne à ce nombre tant que le reste est fixé.</translation>
    </message>
    <message>
        <source>Legal while all else stays: %1 to %2. The hatched part shows what would go wrong.</source>
        <translation>Permis tant que le reste est fixé&#xa0;: %1 à %2. La partie hachurée montre ce qui n&apos;irait pas.</translation>
    </message>
    <message>
        <source>%1 was refused; it is still %2.</source>
        <translation>%1 a été refusé&#xa0;; c&apos;est toujours %2.</translation>
    </message>
    <message>
        <source>Type a whole number.</source>
        <translation>Tapez un nombre entier.</translation>
    </message>
    <message>
        <source>%1 does not fit 64 bits.</source>
        <translation>%1 ne tient pas en 64 bits.</translation>
    </message>
    <message>
        <source>“%1” is no whole number: use digits 0-9.</source>
        <translation>«&#xa0;%1&#xa0;» n&apos;est pas un nombre entier&#xa0;: utilisez les chiffres 0-9.</translation>
    </message>
    <message>
        <source>The size of this dim is 1: its stride is never multiplied by anything but 0.</source>
        <translation>La taille de cette dim est 1&#xa0;: son stride n&apos;est jamais multiplié que par 0.</translation>
    </message>
</context>
<context>
    <name>stridescope::RecordedRuns</name>
    <message>
        <source>%1 was not opened: %2. %3</source>
        <translation>%1 n&apos;a pas été ouvert&#xa0;: %2. %3</translation>
    </message>
    <message>
        <source>%1 was not opened: %2 series are in the list, that is the most. Remove one.</source>
        <translation>%1 n&apos;a pas été ouvert&#xa0;: %2 séries sont dans la liste, c&apos;est le maximum. Retirez-en une.</translation>
    </message>
    <message>
        <source>A run is still being saved.</source>
        <translation>Une série est encore en cours d&apos;enregistrement.</translation>
    </message>
    <message>
        <source>There is no run to save.</source>
        <translation>Il n&apos;y a pas de série à enregistrer.</translation>
    </message>
    <message>
        <source>there is not enough memory</source>
        <translation>il n&apos;y a pas assez de mémoire</translation>
    </message>
    <message>
        <source>%1 was not saved: %2</source>
        <translation>%1 n&apos;a pas été enregistré&#xa0;: %2</translation>
    </message>
</context>
<context>
    <name>stridescope::ScriptDock</name>
    <message>
        <source>Script</source>
        <translation>Script</translation>
    </message>
    <message>
        <source>A Python script: run as a whole, or line by line. The line that comes next is marked, and the pictures show what was done so far.</source>
        <translation>Un script Python&#xa0;: exécuté en entier, ou ligne par ligne. La ligne qui suit est marquée, et les images montrent ce qui a été fait jusque-là.</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>Ouvrir</translation>
    </message>
    <message>
        <source>Open a script</source>
        <translation>Ouvrir un script</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>Enregistrer</translation>
    </message>
    <message>
        <source>Save the script (Ctrl+S in it)</source>
        <translation>Enregistrer le script (Ctrl+S dedans)</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>Lancer</translation>
    </message>
    <message>
        <source>Run the whole script (F5)</source>
        <translation>Exécuter le script entier (F5)</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>Pas</translation>
    </message>
    <message>
        <source>Run the next line (F10)</source>
        <translation>Exécuter la ligne suivante (F10)</translation>
    </message>
    <message>
        <source>Step into</source>
        <translation>Entrer</translation>
    </message>
    <message>
        <source>Run the next line, and go into a function of the script that it calls (Ctrl+F10)</source>
        <translation>Exécuter la ligne suivante, et entrer dans une fonction du script qu&apos;elle appelle (Ctrl+F10)</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>Arrêter</translation>
    </message>
    <message>
        <source>Stop the script (Ctrl+.)</source>
        <translation>Arrêter le script (Ctrl+.)</translation>
    </message>
    <message>
        <source>No script was opened yet</source>
        <translation>Aucun script n&apos;a encore été ouvert</translation>
    </message>
    <message>
        <source>Nothing was pasted.</source>
        <translation>Rien n&apos;a été collé.</translation>
    </message>
    <message>
        <source>The script would have %1; it has at most %2.</source>
        <translation>Le script aurait %1&#xa0;; il a au plus %2.</translation>
    </message>
    <message>
        <source>Save it as a file, and run that with: stridescope run FILE</source>
        <translation>Enregistrez-le dans un fichier, et exécutez-le par&#xa0;: stridescope run FILE</translation>
    </message>
    <message>
        <source>import torch
x = torch.arange(12).view(3, 4)</source>
        <translation>import torch
x = torch.arange(12).view(3, 4)</translation>
    </message>
    <message>
        <source>Line %1: </source>
        <translation>Ligne %1&#xa0;: </translation>
    </message>
    <message>
        <source>Run all lines that are left (F5)</source>
        <translation>Exécuter toutes les lignes qui restent (F5)</translation>
    </message>
    <message>
        <source>Not saved yet</source>
        <translation>Pas encore enregistré</translation>
    </message>
    <message>
        <source> · changed</source>
        <translation> · modifié</translation>
    </message>
    <message>
        <source> · waits before line %1</source>
        <translation> · attend devant la ligne %1</translation>
    </message>
    <message>
        <source> · runs</source>
        <translation> · en marche</translation>
    </message>
    <message>
        <source>Script: %1</source>
        <translation>Script&#xa0;: %1</translation>
    </message>
    <message>
        <source>Stridescope</source>
        <translation>Stridescope</translation>
    </message>
    <message>
        <source>The script is not saved.</source>
        <translation>Le script n&apos;est pas enregistré.</translation>
    </message>
    <message>
        <source>Changes of %1 are not saved.</source>
        <translation>Les changements de %1 ne sont pas enregistrés.</translation>
    </message>
    <message>
        <source>Discard changes</source>
        <translation>Jeter les changements</translation>
    </message>
    <message>
        <source>The script still runs.</source>
        <translation>Le script est encore en marche.</translation>
    </message>
    <message>
        <source>Stop it, or wait for its end, to open another one.</source>
        <translation>Arrêtez-le, ou attendez sa fin, pour en ouvrir un autre.</translation>
    </message>
    <message>
        <source>%1 was not opened.</source>
        <translation>%1 n&apos;a pas été ouvert.</translation>
    </message>
    <message>
        <source>It is no file.</source>
        <translation>Ce n&apos;est pas un fichier.</translation>
    </message>
    <message>
        <source>It has %1; a script has at most %2.</source>
        <translation>Il a %1&#xa0;; un script a au plus %2.</translation>
    </message>
    <message>
        <source>Run it with: stridescope run %1</source>
        <translation>Exécutez-le par&#xa0;: stridescope run %1</translation>
    </message>
    <message>
        <source>Its bytes are not UTF-8 text.</source>
        <translation>Ses octets ne sont pas du texte UTF-8.</translation>
    </message>
    <message>
        <source>Save the script</source>
        <translation>Enregistrer le script</translation>
    </message>
    <message>
        <source>%1 was not saved.</source>
        <translation>%1 n&apos;a pas été enregistré.</translation>
    </message>
    <message>
        <source>&lt;script&gt;</source>
        <translation>&lt;script&gt;</translation>
    </message>
    <message>
        <source>The script was not run.</source>
        <translation>Le script n&apos;a pas été exécuté.</translation>
    </message>
    <message>
        <source>Another line is still being carried out, or a tensor is being saved: wait for its end.</source>
        <translation>Une autre ligne est encore en cours, ou un tenseur est en train d&apos;être enregistré&#xa0;: attendez la fin.</translation>
    </message>
</context>
<context>
    <name>stridescope::ShapeTable</name>
    <message>
        <source>Another shape</source>
        <translation>Une autre shape</translation>
    </message>
    <message>
        <source>another shape: 2, -1</source>
        <translation>autre shape&#xa0;: 2, -1</translation>
    </message>
    <message>
        <source>Shapes to try</source>
        <translation>Shapes à essayer</translation>
    </message>
    <message>
        <source>Shapes of %1 you can try</source>
        <translation>Shapes de %1 à essayer</translation>
    </message>
    <message>
        <source>A size-1 dimension may have any stride; it is never multiplied by anything but 0.</source>
        <translation>Une dimension de taille 1 peut avoir tout stride&#xa0;; il n&apos;est jamais multiplié que par 0.</translation>
    </message>
    <message>
        <source>✓ a view with stride %1</source>
        <translation>✓ une vue de stride %1</translation>
    </message>
    <message>
        <source>✗ %1 needs a copy</source>
        <translation>✗ %1 demande une copie</translation>
    </message>
</context>
<context>
    <name>stridescope::SizeRange</name>
    <message>
        <source>First and last size</source>
        <translation>Première et dernière taille</translation>
    </message>
    <message>
        <source>Drag a knob, or Left and Right; Up and Down change the knob. Sizes can also be typed below.</source>
        <translation>Tirez un bouton, ou Gauche et Droite&#xa0;; Haut et Bas changent de bouton. Les tailles peuvent aussi être tapées en dessous.</translation>
    </message>
    <message>
        <source>from %1 to %2</source>
        <translation>de %1 à %2</translation>
    </message>
</context>
<context>
    <name>stridescope::StageHeader</name>
    <message>
        <source>How the stage is drawn</source>
        <translation>Comment la scène est dessinée</translation>
    </message>
    <message>
        <source>Cell text</source>
        <translation>Texte des cases</translation>
    </message>
    <message>
        <source>value</source>
        <translation>valeur</translation>
    </message>
    <message>
        <source>index</source>
        <translation>indice</translation>
    </message>
    <message>
        <source>both</source>
        <translation>les deux</translation>
    </message>
    <message>
        <source>Ruler</source>
        <translation>Règle</translation>
    </message>
    <message>
        <source>elements</source>
        <translation>éléments</translation>
    </message>
    <message>
        <source>bytes</source>
        <translation>octets</translation>
    </message>
    <message>
        <source>hex</source>
        <translation>hex</translation>
    </message>
    <message>
        <source>Wrap</source>
        <translation>Retour</translation>
    </message>
    <message>
        <source>fit</source>
        <translation>ajusté</translation>
    </message>
    <message>
        <source>row</source>
        <translation>ligne</translation>
    </message>
    <message>
        <source>64 B line</source>
        <translation>ligne de 64 B</translation>
    </message>
    <message>
        <source>n</source>
        <translation>n</translation>
    </message>
    <message>
        <source>Cells in a row of the strip</source>
        <translation>Cases par ligne de la bande</translation>
    </message>
    <message>
        <source>More of how the stage is drawn</source>
        <translation>Autres façons de dessiner la scène</translation>
    </message>
    <message>
        <source>What this bar has no room for</source>
        <translation>Ce pour quoi cette barre n&apos;a pas de place</translation>
    </message>
    <message>
        <source>Fit</source>
        <translation>Ajuster</translation>
    </message>
    <message>
        <source>The whole storage in sight (Ctrl+9)</source>
        <translation>Tout le stockage en vue (Ctrl+9)</translation>
    </message>
    <message>
        <source>Export</source>
        <translation>Exporter</translation>
    </message>
    <message>
        <source>Save the picture as SVG, PNG or PDF</source>
        <translation>Enregistrer l&apos;image en SVG, PNG ou PDF</translation>
    </message>
</context>
<context>
    <name>stridescope::StepList</name>
    <message>
        <source>Operations</source>
        <translation>Opérations</translation>
    </message>
</context>
<context>
    <name>stridescope::StepRow</name>
    <message>
        <source>Drag to another place of the list.</source>
        <translation>Glissez vers une autre place de la liste.</translation>
    </message>
    <message>
        <source>Step %1</source>
        <translation>Étape %1</translation>
    </message>
    <message>
        <source>Switch on or off</source>
        <translation>Activer ou désactiver</translation>
    </message>
    <message>
        <source>Earlier</source>
        <translation>Plus tôt</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>Retirer</translation>
    </message>
    <message>
        <source>Later</source>
        <translation>Plus tard</translation>
    </message>
    <message>
        <source>off</source>
        <translation>non</translation>
    </message>
    <message>
        <source>Copy code</source>
        <translation>Copier le code</translation>
    </message>
    <message>
        <source>Duplicate</source>
        <translation>Dupliquer</translation>
    </message>
    <message>
        <source>Switch off</source>
        <translation>Désactiver</translation>
    </message>
    <message>
        <source>Switch on</source>
        <translation>Activer</translation>
    </message>
</context>
<context>
    <name>stridescope::TeacherCard</name>
    <message>
        <source>For the teacher</source>
        <translation>Pour l&apos;enseignant</translation>
    </message>
    <message>
        <source>For you; the class does not see it</source>
        <translation>Pour vous&#xa0;; la classe ne le voit pas</translation>
    </message>
    <message>
        <source>Back</source>
        <translation>Retour</translation>
    </message>
    <message>
        <source>Takes the class one step back.</source>
        <translation>Ramène la classe un pas en arrière.</translation>
    </message>
    <message>
        <source>How long the class has; nothing is shown at its end.</source>
        <translation>Le temps dont dispose la classe&#xa0;; rien n&apos;est montré à la fin.</translation>
    </message>
    <message>
        <source>What the class sees next.</source>
        <translation>Ce que la classe voit ensuite.</translation>
    </message>
    <message>
        <source>Hands: %1</source>
        <translation>Mains levées&#xa0;: %1</translation>
    </message>
    <message>
        <source>Stop the clock (%1 s)</source>
        <translation>Arrêter l&apos;horloge (%1 s)</translation>
    </message>
    <message>
        <source>%1 s to think</source>
        <translation>%1 s pour réfléchir</translation>
    </message>
</context>
<context>
    <name>stridescope::TensorTree</name>
    <message>
        <source>Filter by name, shape or code</source>
        <translation>Filtrer par nom, shape ou code</translation>
    </message>
    <message>
        <source>Filter tensors</source>
        <translation>Filtrer les tenseurs</translation>
    </message>
    <message>
        <source>Storages and tensors</source>
        <translation>Stockages et tenseurs</translation>
    </message>
    <message>
        <source>No tensors yet</source>
        <translation>Pas encore de tenseurs</translation>
    </message>
    <message>
        <source>Storages appear here, each with the tensors that are views of it.</source>
        <translation>Les stockages apparaissent ici, chacun avec les tenseurs qui en sont des vues.</translation>
    </message>
    <message>
        <source>No tensor matches</source>
        <translation>Aucun tenseur ne correspond</translation>
    </message>
    <message>
        <source>The filter goes by name, shape and code.</source>
        <translation>Le filtre regarde le nom, la shape et le code.</translation>
    </message>
    <message>
        <source>Clear the filter</source>
        <translation>Vider le filtre</translation>
    </message>
    <message>
        <source>New name</source>
        <translation>Nouveau nom</translation>
    </message>
    <message>
        <source>Hide on stage</source>
        <translation>Cacher de la scène</translation>
    </message>
    <message>
        <source>Show on stage</source>
        <translation>Montrer sur la scène</translation>
    </message>
    <message>
        <source>Rename</source>
        <translation>Renommer</translation>
    </message>
    <message>
        <source>Delete name</source>
        <translation>Supprimer le nom</translation>
    </message>
</context>
<context>
    <name>stridescope::TensorTreeModel</name>
    <message>
        <source>storage #%1</source>
        <translation>stockage #%1</translation>
    </message>
    <message>
        <source>storage %1, %2</source>
        <translation>stockage %1, %2</translation>
    </message>
    <message>
        <source>%1, refused, not made</source>
        <translation>%1, refusé, non fait</translation>
    </message>
    <message>
        <source>%1 was refused: nothing was made</source>
        <translation>%1 a été refusé&#xa0;: rien n&apos;a été fait</translation>
    </message>
    <message>
        <source>not made</source>
        <translation>non fait</translation>
    </message>
    <message>
        <source>%1, %2, size %3, %4%5</source>
        <translation>%1, %2, size %3, %4%5</translation>
    </message>
    <message>
        <source>, hidden</source>
        <translation>, caché</translation>
    </message>
    <message>
        <source>%1 = %2, size %3</source>
        <translation>%1 = %2, size %3</translation>
    </message>
</context>
<context>
    <name>stridescope::TimeTrack</name>
    <message>
        <source>Time</source>
        <translation>Temps</translation>
    </message>
    <message>
        <source>Drag to any moment; Left and Right step, Home and End go to the ends</source>
        <translation>Tirez vers tout moment&#xa0;; Gauche et Droite avancent d&apos;un pas, Début et Fin vont aux bouts</translation>
    </message>
    <message>
        <source>%1 percent</source>
        <translation>%1 pour cent</translation>
    </message>
</context>
<context>
    <name>stridescope::TimingPage</name>
    <message>
        <source>Times</source>
        <translation>Temps</translation>
    </message>
    <message>
        <source>Time over size</source>
        <translation>Temps selon la taille</translation>
    </message>
    <message>
        <source>Transfers</source>
        <translation>Transferts</translation>
    </message>
    <message>
        <source>How it was measured</source>
        <translation>Comment cela a été mesuré</translation>
    </message>
    <message>
        <source>Table</source>
        <translation>Tableau</translation>
    </message>
</context>
<context>
    <name>stridescope::TimingRunner</name>
    <message>
        <source>in a Python of its own</source>
        <translation>dans un Python à part</translation>
    </message>
    <message>
        <source>nothing was measured</source>
        <translation>rien n&apos;a été mesuré</translation>
    </message>
    <message>
        <source>stopped</source>
        <translation>arrêté</translation>
    </message>
    <message>
        <source>%1 could not be started</source>
        <translation>%1 n&apos;a pas pu être lancé</translation>
    </message>
    <message>
        <source>the process that measures was ended</source>
        <translation>le processus qui mesure a été terminé</translation>
    </message>
</context>
<context>
    <name>stridescope::TimingScreen</name>
    <message>
        <source>The table was copied.</source>
        <translation>Le tableau a été copié.</translation>
    </message>
    <message>
        <source>Opened %1.</source>
        <translation>%1 ouvert.</translation>
    </message>
    <message>
        <source>Saved %1.</source>
        <translation>%1 enregistré.</translation>
    </message>
    <message>
        <source>This machine&apos;s processor.</source>
        <translation>Le processeur de cette machine.</translation>
    </message>
    <message>
        <source>Needs a GPU: %1</source>
        <translation>Il faut un GPU&#xa0;: %1</translation>
    </message>
    <message>
        <source>of other settings: Run sweep</source>
        <translation>d&apos;autres réglages&#xa0;: «&#xa0;Lancer les mesures&#xa0;»</translation>
    </message>
    <message>
        <source>1 thread</source>
        <translation>1 thread</translation>
    </message>
    <message>
        <source>%1 threads</source>
        <translation>%1 threads</translation>
    </message>
    <message>
        <source>the run before: %1</source>
        <translation>la série d&apos;avant&#xa0;: %1</translation>
    </message>
    <message>
        <source>starting</source>
        <translation>démarrage</translation>
    </message>
    <message>
        <source>Something is being measured: stop it first, or wait.</source>
        <translation>Une mesure est en cours&#xa0;: arrêtez-la d&apos;abord, ou attendez.</translation>
    </message>
    <message>
        <source>✗ Not measured: %1</source>
        <translation>✗ Non mesuré&#xa0;: %1</translation>
    </message>
    <message>
        <source>%1 measurements</source>
        <translation>%1 mesures</translation>
    </message>
    <message>
        <source>Open recorded series</source>
        <translation>Ouvrir une série enregistrée</translation>
    </message>
    <message>
        <source>Runs (*.json *.csv)</source>
        <translation>Séries (*.json *.csv)</translation>
    </message>
    <message>
        <source>Save this run</source>
        <translation>Enregistrer cette série</translation>
    </message>
    <message>
        <source>Runs with every block (*.json *.csv)</source>
        <translation>Séries avec chaque bloc (*.json *.csv)</translation>
    </message>
</context>
<context>
    <name>stridescope::TimingSetup</name>
    <message>
        <source>%1 … %2, %3 sizes</source>
        <translation>%1 … %2, %3 tailles</translation>
    </message>
    <message>
        <source>Type a statement: it is timed as Python code.</source>
        <translation>Tapez une instruction&#xa0;: elle est mesurée comme du code Python.</translation>
    </message>
    <message>
        <source>Without a GPU nothing is copied to one.</source>
        <translation>Sans GPU rien ne lui est copié.</translation>
    </message>
    <message>
        <source>What to time</source>
        <translation>Quoi mesurer</translation>
    </message>
    <message>
        <source>Another operation</source>
        <translation>Une autre opération</translation>
    </message>
    <message>
        <source>Other</source>
        <translation>Autre</translation>
    </message>
    <message>
        <source>Python statement</source>
        <translation>Instruction Python</translation>
    </message>
    <message>
        <source>setup: a = torch.rand(n, n)</source>
        <translation>préparation&#xa0;: a = torch.rand(n, n)</translation>
    </message>
    <message>
        <source>Setup, run once</source>
        <translation>Préparation, exécutée une fois</translation>
    </message>
    <message>
        <source>statement: a @ a</source>
        <translation>instruction&#xa0;: a @ a</translation>
    </message>
    <message>
        <source>Statement that is timed</source>
        <translation>Instruction qui est mesurée</translation>
    </message>
    <message>
        <source>Sizes n</source>
        <translation>Tailles n</translation>
    </message>
    <message>
        <source>Sizes</source>
        <translation>Tailles</translation>
    </message>
    <message>
        <source>64:8192:x2 doubles, 64:512:+64 goes in steps, 64,100,500 are these.</source>
        <translation>64:8192:x2 double, 64:512:+64 va par pas, 64,100,500 sont celles-là.</translation>
    </message>
    <message>
        <source>Devices</source>
        <translation>Appareils</translation>
    </message>
    <message>
        <source>dtype</source>
        <translation>dtype</translation>
    </message>
    <message>
        <source>Threads</source>
        <translation>Threads</translation>
    </message>
    <message>
        <source>Of the CPU: 1,2 measures with one and with two, in turns.</source>
        <translation>Du CPU&#xa0;: 1,2 mesure avec un et avec deux, à tour de rôle.</translation>
    </message>
    <message>
        <source>Blocks for each size, at most</source>
        <translation>Blocs par taille, au plus</translation>
    </message>
    <message>
        <source>Blocks of calls for each size, at most: it ends before when the interval of the median is within 2 %.</source>
        <translation>Blocs d&apos;appels par taille, au plus&#xa0;: on s&apos;arrête avant si l&apos;intervalle de la médiane est à 2 % près.</translation>
    </message>
    <message>
        <source>Blocks ≤</source>
        <translation>Blocs ≤</translation>
    </message>
    <message>
        <source>Seconds for each size, at most</source>
        <translation>Secondes par taille, au plus</translation>
    </message>
    <message>
        <source> s</source>
        <translation> s</translation>
    </message>
    <message>
        <source>Time ≤</source>
        <translation>Temps ≤</translation>
    </message>
    <message>
        <source>Seconds of warm-up, at most</source>
        <translation>Secondes d&apos;échauffement, au plus</translation>
    </message>
    <message>
        <source>Blocks are thrown away until two agree within 5 %, for so long at most. 0: the mistake of leaving it out.</source>
        <translation>Des blocs sont écartés jusqu&apos;à ce que deux s&apos;accordent à 5 %, aussi longtemps au plus. 0&#xa0;: l&apos;erreur de l&apos;omettre.</translation>
    </message>
    <message>
        <source>none</source>
        <translation>aucune</translation>
    </message>
    <message>
        <source>Warm-up ≤</source>
        <translation>Chauffe ≤</translation>
    </message>
    <message>
        <source>Cache</source>
        <translation>Cache</translation>
    </message>
    <message>
        <source>Warm for products and algebra, cold for what moves memory.</source>
        <translation>Chaud pour les produits et l&apos;algèbre, froid pour ce qui déplace de la mémoire.</translation>
    </message>
    <message>
        <source>The same operands again and again.</source>
        <translation>Les mêmes opérandes encore et encore.</translation>
    </message>
    <message>
        <source>Operands in turn, together larger than the last cache.</source>
        <translation>Des opérandes à tour de rôle, ensemble plus grands que le dernier cache.</translation>
    </message>
    <message>
        <source>Input</source>
        <translation>Entrée</translation>
    </message>
    <message>
        <source>contiguous</source>
        <translation>contigu</translation>
    </message>
    <message>
        <source>The last two dims swapped in memory.</source>
        <translation>Les deux dernières dims échangées en mémoire.</translation>
    </message>
    <message>
        <source>Every second element of the last dim.</source>
        <translation>Un élément sur deux de la dernière dim.</translation>
    </message>
    <message>
        <source>One row, repeated with stride 0.</source>
        <translation>Une ligne, répétée avec stride 0.</translation>
    </message>
    <message>
        <source>Transfers</source>
        <translation>Transferts</translation>
    </message>
    <message>
        <source>Upload, kernel, download, and all three as one call.</source>
        <translation>Aller, noyau, retour, et les trois en un seul appel.</translation>
    </message>
    <message>
        <source>The kernel alone.</source>
        <translation>Le noyau seul.</translation>
    </message>
    <message>
        <source>Recorded series</source>
        <translation>Séries enregistrées</translation>
    </message>
    <message>
        <source>Open…</source>
        <translation>Ouvrir…</translation>
    </message>
    <message>
        <source>A run saved as JSON or CSV, here or on another machine: shown over this one.</source>
        <translation>Une série enregistrée en JSON ou CSV, ici ou sur une autre machine&#xa0;: montrée par-dessus celle-ci.</translation>
    </message>
    <message>
        <source>Save…</source>
        <translation>Garder…</translation>
    </message>
    <message>
        <source>The run that is shown with every block, as JSON or CSV.</source>
        <translation>La série montrée avec chaque bloc, en JSON ou CSV.</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>Copier</translation>
    </message>
    <message>
        <source>The table as text, columns separated by tabs.</source>
        <translation>Le tableau en texte, colonnes séparées par des tabulations.</translation>
    </message>
    <message>
        <source>Measured peak, this machine</source>
        <translation>Maximum mesuré, cette machine</translation>
    </message>
    <message>
        <source>How far the sweep is</source>
        <translation>Où en sont les mesures</translation>
    </message>
    <message>
        <source>Run sweep</source>
        <translation>Lancer les mesures</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>Arrêter</translation>
    </message>
    <message>
        <source>Takes the series off the list; its file stays.</source>
        <translation>Retire la série de la liste&#xa0;; son fichier reste.</translation>
    </message>
    <message>
        <source>Remove %1</source>
        <translation>Retirer %1</translation>
    </message>
    <message>
        <source>None yet: open one, or save this one.</source>
        <translation>Aucune encore&#xa0;: ouvrez-en une, ou enregistrez celle-ci.</translation>
    </message>
    <message>
        <source>Measured with the next sweep.</source>
        <translation>Mesuré avec la prochaine série.</translation>
    </message>
    <message>
        <source>usual</source>
        <translation>normal</translation>
    </message>
    <message>
        <source>hot</source>
        <translation>chaud</translation>
    </message>
    <message>
        <source>cold</source>
        <translation>froid</translation>
    </message>
    <message>
        <source>rows</source>
        <translation>lignes</translation>
    </message>
    <message>
        <source>in and out</source>
        <translation>aller-retour</translation>
    </message>
</context>
<context>
    <name>stridescope::TimingView</name>
    <message>
        <source>Times</source>
        <translation>Temps</translation>
    </message>
    <message>
        <source>Times over size. Left and Right pick a size, Up and Down a curve at it, Home and End the ends; Tab goes on to the cards, Enter runs one.</source>
        <translation>Temps selon la taille. Gauche et Droite choisissent une taille, Haut et Bas une courbe à celle-ci, Début et Fin les bouts&#xa0;; Tab va aux cartes, Entrée en lance une.</translation>
    </message>
</context>
<context>
    <name>stridescope::TouchedStrip</name>
    <message>
        <source>%1 of %2</source>
        <translation>%1 sur %2</translation>
    </message>
    <message>
        <source>slot %1, byte %2</source>
        <translation>emplacement %1, octet %2</translation>
    </message>
    <message>
        <source>offset %1</source>
        <translation>offset %1</translation>
    </message>
    <message>
        <source>+%1 (dim %2)</source>
        <translation>+%1 (dim %2)</translation>
    </message>
    <message>
        <source>%1 of %2 · %3 of %4</source>
        <translation>%1 sur %2 · %3 sur %4</translation>
    </message>
    <message>
        <source>one run of %1 values</source>
        <translation>une suite de %1 valeurs</translation>
    </message>
    <message>
        <source>%1 runs of %2 values</source>
        <translation>%1 suites de %2 valeurs</translation>
    </message>
    <message>
        <source> · cache lines %1 of %2 (model)</source>
        <translation> · lignes de cache %1 sur %2 (modèle)</translation>
    </message>
    <message>
        <source>Click a place of the storage to see its pixel. The wheel and dragging move the cells.</source>
        <translation>Cliquez une place du stockage pour voir son pixel. La molette et le glisser déplacent les cases.</translation>
    </message>
    <message>
        <source>second bar: one image</source>
        <translation>seconde barre&#xa0;: une image</translation>
    </message>
    <message>
        <source>second bar: one row of an image</source>
        <translation>seconde barre&#xa0;: une ligne d&apos;une image</translation>
    </message>
    <message>
        <source>second bar: slots round the cells</source>
        <translation>seconde barre&#xa0;: emplacements autour des cases</translation>
    </message>
    <message>
        <source>%1 runs of one value</source>
        <translation>%1 suites d&apos;une valeur</translation>
    </message>
    <message>
        <source>If copied (contiguous), one image: %1</source>
        <translation>Si copié (contigu), une image&#xa0;: %1</translation>
    </message>
</context>
<context>
    <name>stridescope::TransportBar</name>
    <message>
        <source>To the start (Home)</source>
        <translation>Au début (Début)</translation>
    </message>
    <message>
        <source>Step back (Left)</source>
        <translation>Pas en arrière (Gauche)</translation>
    </message>
    <message>
        <source>Play or pause (Space)</source>
        <translation>Jouer ou mettre en pause (Espace)</translation>
    </message>
    <message>
        <source>Step forward (Right)</source>
        <translation>Pas en avant (Droite)</translation>
    </message>
    <message>
        <source>To the end (End)</source>
        <translation>À la fin (Fin)</translation>
    </message>
    <message>
        <source>Speed</source>
        <translation>Vitesse</translation>
    </message>
    <message>
        <source>Speed %1</source>
        <translation>Vitesse %1</translation>
    </message>
    <message>
        <source>Slow</source>
        <translation>Lent</translation>
    </message>
    <message>
        <source>A quarter of the speed, for a room</source>
        <translation>Au quart de la vitesse, pour une salle</translation>
    </message>
    <message>
        <source>Steps</source>
        <translation>Étapes</translation>
    </message>
    <message>
        <source>Stops by itself after each stage</source>
        <translation>S&apos;arrête tout seul après chaque étape</translation>
    </message>
</context>
<context>
    <name>stridescope::ValueHistogram</name>
    <message>
        <source>Histogram of the values</source>
        <translation>Histogramme des valeurs</translation>
    </message>
    <message>
        <source>Drag the black and the white point. Stored values do not change.</source>
        <translation>Tirez le point noir et le point blanc. Les valeurs stockées ne changent pas.</translation>
    </message>
    <message>
        <source>black %1, white %2. %3</source>
        <translation>noir %1, blanc %2. %3</translation>
    </message>
    <message>
        <source>about </source>
        <translation>environ </translation>
    </message>
    <message>
        <source>%1 values lie below the black point: drawn as black, still stored.</source>
        <translation>%1 valeurs sont sous le point noir&#xa0;: dessinées en noir, toujours stockées.</translation>
    </message>
    <message>
        <source>%1 lie above the white point: drawn as white, still stored.</source>
        <translation>%1 sont au-dessus du point blanc&#xa0;: dessinées en blanc, toujours stockées.</translation>
    </message>
    <message>
        <source>black %1</source>
        <translation>noir %1</translation>
    </message>
    <message>
        <source>white %1</source>
        <translation>blanc %1</translation>
    </message>
    <message>
        <source>%1 are NaN: drawn as a chequer.</source>
        <translation>%1 sont NaN&#xa0;: dessinées en damier.</translation>
    </message>
    <message>
        <source>%1 are infinite: a chequer, too.</source>
        <translation>%1 sont infinies&#xa0;: en damier aussi.</translation>
    </message>
</context>
<context>
    <name>stridescope::VariablesDock</name>
    <message>
        <source>not shared</source>
        <translation>non partagé</translation>
    </message>
    <message>
        <source>Variables</source>
        <translation>Variables</translation>
    </message>
    <message>
        <source>The names that lines of code can use. A click on a tensor shows its card on the stage; a click on a title sorts.</source>
        <translation>Les noms que des lignes de code peuvent utiliser. Un clic sur un tenseur montre sa carte sur la scène&#xa0;; un clic sur un titre trie.</translation>
    </message>
</context>
<context>
    <name>stridescope::VariablesPanel</name>
    <message>
        <source>name</source>
        <translation>nom</translation>
    </message>
    <message>
        <source>type</source>
        <translation>type</translation>
    </message>
    <message>
        <source>size</source>
        <translation>size</translation>
    </message>
    <message>
        <source>stride</source>
        <translation>stride</translation>
    </message>
    <message>
        <source>storage</source>
        <translation>stockage</translation>
    </message>
    <message>
        <source>device</source>
        <translation>appareil</translation>
    </message>
    <message>
        <source>Its elements cannot be seen from here</source>
        <translation>Ses éléments ne se voient pas d&apos;ici</translation>
    </message>
    <message>
        <source>Click to select its card</source>
        <translation>Cliquez pour choisir sa carte</translation>
    </message>
    <message>
        <source>Click to show its card</source>
        <translation>Cliquez pour montrer sa carte</translation>
    </message>
    <message>
        <source>%1, %2, size %3, stride %4, storage %5, %6</source>
        <translation>%1, %2, size %3, stride %4, stockage %5, %6</translation>
    </message>
    <message>
        <source>%1, %2 %3</source>
        <translation>%1, %2 %3</translation>
    </message>
    <message>
        <source>Variables</source>
        <translation>Variables</translation>
    </message>
    <message>
        <source>No variables yet: what lines of code give a name to is listed here.</source>
        <translation>Pas encore de variables&#xa0;: ce à quoi des lignes de code donnent un nom est listé ici.</translation>
    </message>
    <message>
        <source>and %1 more names</source>
        <translation>et %1 noms de plus</translation>
    </message>
    <message>
        <source> and %1 more</source>
        <translation> et %1 de plus</translation>
    </message>
    <message>
        <source>The thread %1 goes on in the background.</source>
        <translation>Le thread %1 continue à l&apos;arrière-plan.</translation>
    </message>
    <message>
        <source>%1 threads go on in the background: %2.</source>
        <translation>%1 threads continuent à l&apos;arrière-plan&#xa0;: %2.</translation>
    </message>
    <message>
        <source>Stop it</source>
        <translation>L&apos;arrêter</translation>
    </message>
    <message>
        <source>Stop them</source>
        <translation>Les arrêter</translation>
    </message>
</context>
<context>
    <name>stridescope::VoteBoard</name>
    <message>
        <source>One hand less for answer %1</source>
        <translation>Une main de moins pour la réponse %1</translation>
    </message>
    <message>
        <source>One hand more for answer %1</source>
        <translation>Une main de plus pour la réponse %1</translation>
    </message>
    <message>
        <source>Answer %1: %2</source>
        <translation>Réponse %1&#xa0;: %2</translation>
    </message>
    <message>
        <source>hands: %1</source>
        <translation>mains levées&#xa0;: %1</translation>
    </message>
    <message>
        <source>right</source>
        <translation>juste</translation>
    </message>
    <message>
        <source>wrong</source>
        <translation>fausse</translation>
    </message>
    <message>
        <source>Answers</source>
        <translation>Réponses</translation>
    </message>
</context>
<context>
    <name>stridescope::WhenceView</name>
    <message>
        <source>Where the picked element came from</source>
        <translation>D&apos;où vient l&apos;élément choisi</translation>
    </message>
    <message>
        <source>Click a cell to see what it was made of.</source>
        <translation>Cliquez une case pour voir de quoi elle a été faite.</translation>
    </message>
    <message>
        <source>Back to %1</source>
        <translation>Retour à %1</translation>
    </message>
    <message>
        <source>%1 sources, not listed</source>
        <translation>%1 sources, non listées</translation>
    </message>
    <message>
        <source>and %1 more</source>
        <translation>et %1 de plus</translation>
    </message>
</context>
<context>
    <name>stridescope::Workspace</name>
    <message>
        <source>Another line is still being carried out: wait for its end, or cancel it.</source>
        <translation>Une autre ligne est encore en cours&#xa0;: attendez sa fin, ou annulez-la.</translation>
    </message>
    <message>
        <source>%1 of old values were too large to keep: this step cannot be undone.</source>
        <translation>%1 d&apos;anciennes valeurs étaient trop grandes pour être gardées&#xa0;: cette étape ne peut être annulée.</translation>
    </message>
    <message>
        <source>Show %1</source>
        <translation>Montrer %1</translation>
    </message>
    <message>
        <source>Hide %1</source>
        <translation>Cacher %1</translation>
    </message>
    <message>
        <source>There is no such tensor.</source>
        <translation>Ce tenseur n&apos;existe pas.</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is not a name: use letters, digits and _, not beginning with a digit.</source>
        <translation>«&#xa0;%1&#xa0;» n&apos;est pas un nom&#xa0;: utilisez lettres, chiffres et _, sans commencer par un chiffre.</translation>
    </message>
    <message>
        <source>The name %1 is taken.</source>
        <translation>Le nom %1 est pris.</translation>
    </message>
    <message>
        <source>Rename %1 to %2</source>
        <translation>Renommer %1 en %2</translation>
    </message>
    <message>
        <source>Move card %1</source>
        <translation>Déplacer la carte %1</translation>
    </message>
    <message>
        <source>%1 of old values were too large to keep</source>
        <translation>%1 d&apos;anciennes valeurs étaient trop grandes pour être gardées</translation>
    </message>
    <message>
        <source>A storage is being saved and must not change until that is done.</source>
        <translation>Un stockage est en cours d&apos;enregistrement et ne doit pas changer d&apos;ici là.</translation>
    </message>
    <message>
        <source>%1 cannot be undone: %2.</source>
        <translation>%1 ne peut être annulé&#xa0;: %2.</translation>
    </message>
    <message>
        <source>%1 is on %2 and is not kept.</source>
        <translation>%1 est sur %2 et n&apos;est pas gardé.</translation>
    </message>
</context>
<context>
    <name>stridescope::devices</name>
    <message numerus="yes">
        <source>%n threads</source>
        <translation>
            <numerusform>%n thread</numerusform>
            <numerusform>%n threads</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>stridescope::lessons</name>
    <message>
        <source>a line, such as %1[0]</source>
        <translation>une ligne, comme %1[0]</translation>
    </message>
</context>
</TS>
