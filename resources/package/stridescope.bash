# Completion of stridescope for bash.
_stridescope() {
    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} command=${COMP_WORDS[1]}
    COMPREPLY=()
    if [ "$COMP_CWORD" -eq 1 ]; then
        COMPREPLY=($(compgen -W "render run devices operations --version --help" -- "$word"))
        COMPREPLY+=($(compgen -f -- "$word"))
        compopt -o filenames 2>/dev/null
        return
    fi
    case $command in
    render)
        case $before in
        --theme) COMPREPLY=($(compgen -W "light dark" -- "$word")); return ;;
        --figure) COMPREPLY=($(compgen -W "storage broadcast motion blocks grid devices" -- "$word")); return ;;
        --cells) COMPREPLY=($(compgen -W "numbers colours" -- "$word")); return ;;
        --demo | --code | --show | --select | --pick | --line | --frame | --size | --scale | --timeout) return ;;
        esac
        case $word in
        -*)
            COMPREPLY=($(compgen -W "--demo --output -o --code --show --select --pick --figure --line --frame --cells
                --size --scale --timeout --theme --help" -- "$word"))
            return
            ;;
        esac
        ;;
    run)
        case $word in
        -*) COMPREPLY=($(compgen -W "--python --help -m -c" -- "$word")); return ;;
        esac
        ;;
    devices | operations | --*) return ;;
    esac
    COMPREPLY=($(compgen -f -- "$word"))
    compopt -o filenames 2>/dev/null
}
complete -F _stridescope stridescope
