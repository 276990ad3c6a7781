/** Command lines with the completions that a shell offers for them, sorted. */
export const completedLines: ReadonlyArray<readonly [line: string, offered: ReadonlyArray<string>]> = [
  ['kronika tok', ['token']],
  ['kronika token mi', ['mint']],
  ['kronika fleet ta', ['takeover']],
  ['kronika fleet status --w', ['--watch']],
  ['kronika help ke', ['keys']],
  ['kronika token help re', ['revoke']],
  ['kronika serve --log-level ', ['debug', 'error', 'info', 'warn']],
  ['kronika serve --town Tuzmer --st', ['--state']],
  ['kronika serve --town serve --log-level d', ['debug']],
  ['kronika completion ', ['bash', 'fish', 'zsh']],
  ['kronika serve --repo lo', ['lore', 'lore of others']],
  ['kronika demo lo', ['lore', 'lore of others']],
  ['kronika token mint --name ', []],
  ['kronika token revoke ', []],
]

/** The folders and a file in the directory where the lines are completed. */
export const completedFolders: ReadonlyArray<string> = ['lore', 'lore of others']
export const completedFile = 'lore.md'
