import { type ExitCode, exitCodes } from '#protocol/exit-code.js'
import type { Output } from '../output.js'
import {
  type CommandWords,
  type OptionWords,
  type PlacedCommand,
  placeCommands,
  type Shell,
  type WordValue,
} from './command-words.js'

export interface CompletionOptions {
  readonly shell: Shell
  readonly program: CommandWords
}

/** The completion script for bash. */
const bashScript = (program: CommandWords): string => {
  const placed = placeCommands(program)
  const values = valueCases(placed).map(
    ({ text, keys }) => `    ${keys.map(key => `'${key}'`).join(' | ')}) value='${text}' ;;`,
  )
  return [
    '# Completes kronika in bash. Printed by `kronika completion bash`.',
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
    ...placed.map(bashCase),
    '  esac',
    '}',
    '',
    bashWalk,
  ].join('\n')
}

/** The completion script for fish. */
const fishScript = (program: CommandWords): string => {
  const placed = placeCommands(program)
  const withValue = valueCases(placed).flatMap(({ keys }) => keys.filter(key => key.includes('|-')))
  const commands = placed.flatMap(({ place, command }) =>
    command.commands.map(({ name }) => `${place}|${name}`),
  )
  return [
    '# Completes kronika in fish. Printed by `kronika completion fish`.',
    '',
    '# Whether the command line is at the command of this place.',
    'function __kronika_at',
    '    set -l place',
    '    set -l is_value 0',
    '    set -l words (commandline -opc)',
    '    set -e words[1]',
    '    for word in $words',
    '        if test $is_value = 1',
    '            set is_value 0',
    '            continue',
    '        end',
    '        switch "$place|$word"',
    `            case ${withValue.map(quoteForFish).join(' ')}`,
    '                set is_value 1',
    `            case ${commands.map(quoteForFish).join(' ')}`,
    '                set place (string trim -- "$place $word")',
    '        end',
    '    end',
    '    test "$place" = "$argv[1]"',
    'end',
    '',
    'complete -c kronika -e',
    'complete -c kronika -f',
    ...placed.flatMap(commandLines),
  ].join('\n')
}

/** Prints the completion script of a shell, generated from the commands of this program. */
export const completionCommand =
  (output: Output) =>
  ({ shell, program }: CompletionOptions): Promise<ExitCode> => {
    output.out(scripts[shell](program))
    return Promise.resolve(exitCodes.ok)
  }

const bashCase = ({ place, command }: PlacedCommand): string => {
  const commands = command.commands.map(({ name }) => name).join(' ')
  const options = command.options.flatMap(({ names }) => names).join(' ')
  return `    '${place}') commands='${commands}' options='${options}' ;;`
}

/** Also works in the bash 3.2 of macOS: no `mapfile`, and `compopt` only where it exists. */
const bashWalk = `_kronika() {
  local current=\${COMP_WORDS[COMP_CWORD]} place= value= commands= options= word at position=1
  _kronika_command ''
  for ((at = 1; at < COMP_CWORD; at++)); do
    word=\${COMP_WORDS[at]}
    if [[ $word == = ]]; then continue; fi
    if [[ -n $value ]]; then value=; continue; fi
    if [[ $word == -* ]]; then _kronika_value "$place|$word"; continue; fi
    if [[ " $commands " == *" $word "* ]]; then
      place="\${place:+$place }$word"
      _kronika_command "$place"
    else
      position=$((position + 1))
    fi
  done
  if [[ $current == = ]]; then current=; fi
  if [[ -z $value && $current == -* ]]; then
    value="words $options"
  elif [[ -z $value && -n $commands ]]; then
    value="words $commands"
  elif [[ -z $value ]]; then
    _kronika_value "$place|$position"
  fi
  COMPREPLY=()
  case $value in
    folder)
      compopt -o filenames 2>/dev/null
      while IFS= read -r word; do COMPREPLY+=("$word"); done < <(compgen -d -- "$current")
      ;;
    words*)
      while IFS= read -r word; do COMPREPLY+=("$word"); done < <(compgen -W "\${value#words}" -- "$current")
      ;;
  esac
}
complete -F _kronika kronika`

const quoteForFish = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`

const valueArgument = (value: WordValue): string => {
  switch (value._tag) {
    case 'Folder':
      return " -a '(__fish_complete_directories (commandline -ct))'"
    case 'Text':
      return ''
    case 'Words':
      return ` -a ${quoteForFish(value.words.join(' '))}`
  }
}

const nameArgument = (name: string): string =>
  name.startsWith('--') ? ` -l ${name.slice(2)}` : ` -s ${name.slice(1)}`

const optionLine = (at: string, { names, value, description }: OptionWords): string => {
  const taken = value === null ? '' : ` -x${valueArgument(value)}`
  return `${at}${names.map(nameArgument).join('')}${taken} -d ${quoteForFish(description)}`
}

const commandLines = ({ place, command }: PlacedCommand): ReadonlyArray<string> => {
  const at = `complete -c kronika -n ${quoteForFish(`__kronika_at ${quoteForFish(place)}`)}`
  return [
    ...command.commands.map(({ name, description }) => `${at} -a ${name} -d ${quoteForFish(description)}`),
    ...command.options.map(option => optionLine(at, option)),
    ...command.values.flatMap(value => (value._tag === 'Text' ? [] : [`${at}${valueArgument(value)}`])),
  ]
}

/**
 * The completion script for zsh: source it after `compinit`, or put it into a folder of `fpath` as
 * `_kronika`.
 */
const zshScript = (program: CommandWords): string => {
  const placed = placeCommands(program)
  const values = valueCases(placed).map(
    ({ text, keys }) => `    ${keys.map(quoteForZsh).join(' | ')}) value=${quoteForZsh(text)} ;;`,
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
    ...placed.flatMap(zshCase),
    '  esac',
    '}',
    '',
    zshWalk,
  ].join('\n')
}

const quoteForZsh = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

/** A word with its description, as `_describe` expects it: separated by the first colon. */
const describeWord = (name: string, description: string): string => quoteForZsh(`${name}:${description}`)

const zshCase = ({ place, command }: PlacedCommand): ReadonlyArray<string> => [
  `    ${quoteForZsh(place)})`,
  `      commands=(${command.commands.map(({ name }) => name).join(' ')})`,
  `      described_commands=(${command.commands.map(one => describeWord(one.name, one.description)).join(' ')})`,
  `      described_options=(${command.options
    .flatMap(({ names, description }) => names.map(name => describeWord(name, description)))
    .join(' ')})`,
  '      ;;',
]

const zshWalk = `_kronika() {
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

/** A value as one word for a shell `case`: `folder`, `text`, or `words` followed by the words. */
const valueText = (value: WordValue): string => {
  switch (value._tag) {
    case 'Folder':
      return 'folder'
    case 'Text':
      return 'text'
    case 'Words':
      return `words ${value.words.join(' ')}`
  }
}

/**
 * A kind of value and where it occurs: `token mint|--repo` for an option, `demo|1` for the first argument.
 */
interface ValueCase {
  readonly text: string
  readonly keys: ReadonlyArray<string>
}

/** The values that options and arguments take. An option or argument that is not listed takes none. */
const valueCases = (placed: ReadonlyArray<PlacedCommand>): ReadonlyArray<ValueCase> => {
  const cases = new Map<string, Array<string>>()
  const add = (key: string, value: WordValue | null): void => {
    if (value === null) return
    const keys = cases.get(valueText(value))
    if (keys === undefined) cases.set(valueText(value), [key])
    else keys.push(key)
  }
  for (const { place, command } of placed) {
    for (const { names, value } of command.options) for (const name of names) add(`${place}|${name}`, value)
    command.values.forEach((value, at) => add(`${place}|${at + 1}`, value))
  }
  return [...cases].map(([text, keys]) => ({ text, keys }))
}

const scripts: { readonly [S in Shell]: (program: CommandWords) => string } = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
}
