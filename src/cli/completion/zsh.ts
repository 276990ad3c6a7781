import { valueCases } from './cases.js'
import { type CommandWords, type PlacedCommand, placeCommands } from './command-words.js'

/**
 * The completion script for zsh: source it after `compinit`, or put it into a folder of `fpath` as
 * `_kronika`.
 */
export const zshScript = (program: CommandWords): string => {
  const placed = placeCommands(program)
  const values = valueCases(placed).map(
    ({ text, keys }) => `    ${keys.map(quoteText).join(' | ')}) value=${quoteText(text)} ;;`,
  )
  return [
    '#compdef kronika',
    '# Completes kronika in zsh. Printed by `kronika completion zsh`.',
    '',
    '# Sets `value` to what completes an option or an argument; empty: nothing.',
    '_kronika_value() {',
    '  case $1 in',
    ...values,
    '    *) value= ;;',
    '  esac',
    '}',
    '',
    '# Sets the commands below a command, and its options.',
    '_kronika_command() {',
    '  case $1 in',
    ...placed.flatMap(commandCase),
    '  esac',
    '}',
    '',
    walk,
  ].join('\n')
}

const quoteText = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

/** A word with its description, as `_describe` expects it: separated by the first colon. */
const describeWord = (name: string, description: string): string => quoteText(`${name}:${description}`)

const commandCase = ({ place, command }: PlacedCommand): ReadonlyArray<string> => [
  `    ${quoteText(place)})`,
  `      commands=(${command.commands.map(({ name }) => name).join(' ')})`,
  `      described_commands=(${command.commands.map(one => describeWord(one.name, one.description)).join(' ')})`,
  `      described_options=(${command.options
    .flatMap(({ names, description }) => names.map(name => describeWord(name, description)))
    .join(' ')})`,
  '      ;;',
]

const walk = `_kronika() {
  local place= value= word
  local -a commands described_commands described_options
  integer at position=1
  _kronika_command ''
  for ((at = 2; at < CURRENT; at++)); do
    word=$words[at]
    if [[ -n $value ]]; then value=; continue; fi
    if [[ $word == -* ]]; then _kronika_value "$place|$word"; continue; fi
    if (( $commands[(Ie)$word] )); then
      place="\${place:+$place }$word"
      _kronika_command "$place"
    else
      position=$((position + 1))
    fi
  done
  if [[ -z $value && $PREFIX == --*=* ]]; then
    _kronika_value "$place|\${PREFIX%%=*}"
    compset -P '*='
  elif [[ -z $value && $PREFIX == -* ]]; then
    _describe -o option described_options
    return
  elif [[ -z $value && $#commands -gt 0 ]]; then
    _describe command described_commands
    return
  elif [[ -z $value ]]; then
    _kronika_value "$place|$position"
  fi
  case $value in
    folder) _files -/ ;;
    words*) compadd -- \${=value#words} ;;
  esac
}
if [[ $funcstack[1] == _kronika ]]; then _kronika "$@"; else compdef _kronika kronika; fi`
