/** The value of an argument or option. */
export type WordValue =
  | { readonly _tag: 'Folder' }
  | { readonly _tag: 'Text' }
  | { readonly _tag: 'Words'; readonly words: ReadonlyArray<string> }

export interface OptionWords {
  /** As typed, such as `-h` and `--help`. */
  readonly names: ReadonlyArray<string>
  readonly description: string
  /** Null: the option takes no value. */
  readonly value: WordValue | null
}

/** A command as shell completion needs it. */
export interface CommandWords {
  readonly name: string
  readonly description: string
  readonly commands: ReadonlyArray<CommandWords>
  readonly options: ReadonlyArray<OptionWords>
  readonly values: ReadonlyArray<WordValue>
}

export interface PlacedCommand {
  /** The commands before it, such as `token mint`; empty for the program itself. */
  readonly place: string
  readonly command: CommandWords
}

/** The program and every command below it, each with its place. */
export const placeCommands = (command: CommandWords, place = ''): ReadonlyArray<PlacedCommand> => [
  { place, command },
  ...command.commands.flatMap(one => placeCommands(one, place === '' ? one.name : `${place} ${one.name}`)),
]

interface NamedCommand {
  name(): string
  description(): string
  readonly registeredArguments: ReadonlyArray<{ name(): string; readonly argChoices?: ReadonlyArray<string> }>
}

interface NamedOption {
  readonly short?: string | undefined
  readonly long?: string | undefined
  readonly flags: string
  readonly description: string
  readonly required: boolean
  readonly optional: boolean
  readonly argChoices?: ReadonlyArray<string> | undefined
}

/** The commands and options that the help of a program lists, without the hidden ones. */
interface ProgramHelp<C> {
  visibleCommands(command: C): ReadonlyArray<C>
  visibleOptions(command: C): ReadonlyArray<NamedOption>
}

const describeValue = (isFolder: boolean, words: ReadonlyArray<string> | undefined): WordValue =>
  words !== undefined ? { _tag: 'Words', words } : { _tag: isFolder ? 'Folder' : 'Text' }

/** A short text to show beside a candidate. */
const firstSentence = (text: string): string => text.split('. ')[0] ?? text

const describeOption = (option: NamedOption): OptionWords => ({
  names: [option.short, option.long].flatMap(name => (name === undefined ? [] : [name])),
  description: firstSentence(option.description),
  value:
    option.required || option.optional
      ? describeValue(/<dir(?:\.\.\.)?>/.test(option.flags), option.argChoices)
      : null,
})

/**
 * The commands, options and arguments that the help of a program lists. An argument or value called `dir` is
 * a folder; one called `command`, of `help`, is the name of a sibling command.
 */
export const describeCommand = <C extends NamedCommand>(
  command: C,
  help: ProgramHelp<C>,
  siblings: ReadonlyArray<string> = [],
): CommandWords => {
  const below = help.visibleCommands(command)
  const names = below.map(one => one.name())
  return {
    name: command.name(),
    description: firstSentence(command.description()),
    commands: below.map(one => describeCommand(one, help, names)),
    options: help.visibleOptions(command).map(describeOption),
    values: command.registeredArguments.map(one =>
      describeValue(one.name() === 'dir', one.name() === 'command' ? siblings : one.argChoices),
    ),
  }
}

/** The shells that `kronika completion` knows. */
export const shells = ['bash', 'zsh', 'fish'] as const
export type Shell = (typeof shells)[number]

/** How to switch completion on, for the help of the command. */
export const completionHelp = `
Switch it on for each new shell:
  bash  echo 'eval "$(kronika completion bash)"' >> ~/.bashrc
  zsh   echo 'eval "$(kronika completion zsh)"' >> ~/.zshrc     (behind compinit)
  fish  echo 'kronika completion fish | source' >> ~/.config/fish/config.fish`
