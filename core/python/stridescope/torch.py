"""`import stridescope.torch`: the package and its parts under the name that scripts know, beside a real torch."""
import sys

import stridescope

# This module is replaced by the package, as `import` looks here again when it has run.
sys.modules.update({f"stridescope.{name}": part for name, part in stridescope._parts().items()})
