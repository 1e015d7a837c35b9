# Completion of stridescope for bash. tst_cli holds it to what the --help texts list.
_stridescope_words() { COMPREPLY=($(compgen -W "$1" -- "$2")); }
_stridescope() {
    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} command=${COMP_WORDS[1]}
    COMPREPLY=()
    if [ "$COMP_CWORD" -eq 1 ]; then
        _stridescope_words "render run bench lesson devices operations --version --help" "$word"
        COMPREPLY+=($(compgen -f -- "$word"))
        compopt -o filenames 2>/dev/null
        return
    fi
    case $command in
    render)
        case $before in
        --demo)
            _stridescope_words "storage views transpose slice expand overlap diagonal copy out-of-bounds 3d 4d scalar
                empty view-fails blocks" "$word"
            return
            ;;
        --theme) _stridescope_words "light dark" "$word"; return ;;
        --figure) _stridescope_words "storage broadcast motion blocks grid devices" "$word"; return ;;
        --cells) _stridescope_words "numbers colours" "$word"; return ;;
        --code | --show | --select | --pick | --line | --frame | --size | --scale | --timeout) return ;;
        esac
        case $word in
        -*)
            _stridescope_words "--demo --output -o --code --show --select --pick --figure --line --frame --cells
                --size --scale --timeout --theme --help" "$word"
            return
            ;;
        esac
        ;;
    run)
        case $word in
        -*) _stridescope_words "--python --help -m -c" "$word"; return ;;
        esac
        ;;
    bench)
        case $before in
        --mistake)
            _stridescope_words "no-synchronise no-warm-up transfer-in transfer-out too-few-runs python-loop inverse
                columns" "$word"
            return
            ;;
        --dtype) _stridescope_words "float32 float64 int64 int32 uint8 bool complex64" "$word"; return ;;
        --layout) _stridescope_words "contiguous transposed stepped expanded" "$word"; return ;;
        --cache) _stridescope_words "warm cold default" "$word"; return ;;
        --devices) _stridescope_words "cpu cuda:0" "$word"; return ;;
        --op | --stmt | --setup | --sizes | --size | --threads | --max-time | --precision | --rounds | --warm-up | --seed | \
            --machine | --title)
            return
            ;;
        esac
        case $word in
        -*)
            _stridescope_words "--op --sizes --size --dtype --layout --devices --threads --cache --no-transfers
                --no-peaks --stmt --setup --python --mistake --show --list --self-test --max-time --precision --rounds
                --warm-up --seed
                --json --csv --machine --title --help" "$word"
            return
            ;;
        esac
        ;;
    lesson)
        if [ "$COMP_CWORD" -eq 2 ]; then
            _stridescope_words "list check show --help" "$word"
            return
        fi
        case $before in --seed) return ;; esac
        case ${COMP_WORDS[2]} in
        list) return ;;
        show) case $word in -*) _stridescope_words "--seed" "$word"; return ;; esac ;;
        esac
        ;;
    devices | operations | --*) return ;;
    esac
    COMPREPLY+=($(compgen -f -- "$word"))
    compopt -o filenames 2>/dev/null
}
complete -F _stridescope stridescope
