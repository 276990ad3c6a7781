/**
 * Descriptions of the fields of an area: by the name of the codec, or `Codec.field` for an unnamed object in
 * that field; then by the name of the field. One clause each, with unit and shape where the type does not
 * show them.
 */
export type Descriptions = Readonly<Record<string, Readonly<Record<string, string>>>>

/** Descriptions of fields that mean the same in every codec which does not describe them itself. */
export const sharedDescriptions = {
  count: 'Number of the listed items.',
  items: 'The items of this answer, in order.',
  total: 'Number of items before the window was cut; absent without `limit` and `offset`.',
  limit: 'The `limit` of the request; null when it was not a whole number from 0 up.',
  offset: 'The `offset` of the request; 0 when it was not a whole number from 0 up.',
  diff: 'Unified diff of the files that the write would change; empty when it would change none.',
  withheld:
    'Files with changed lines that are left out of `diff`, because the caller may not read them; absent when none are.',
  changed: 'False when everything was already as requested, so that no commit was made.',
  unresolved: 'Names in the request that match no block or several; absent or empty when there are none.',
  error: 'Code of the refusal, the same for every occurrence.',
  detail: 'Sentence about this occurrence, for people: in Polish where the chat shows it, else in English.',
  nearest: 'Existing names that are most similar to the requested one, best first.',
  retryAfterSeconds: 'Seconds until the request is worth repeating.',
  gameId: 'Id of the person in the game, as the contributor store has it.',
  chatId: 'Id of the account on the chat platform.',
  gracz: 'Name of the person (Gracz) whom the game id belongs to today.',
  displaces: 'Chat account that loses the game id by this binding; null when none does.',
  replaces: 'Game id that the chat account was bound to before; null when it was bound to none.',
  Header: 'Heading of the session: `date, title, narrator`.',
  File: 'Path of the file in the repository.',
  Line: 'Line in the file, counted from 1.',
} as const satisfies Readonly<Record<string, string>>

/** Descriptions of the parts of a path in braces. */
export const pathDescriptions = {
  name: 'Name of the block: its heading, or an alias where no heading equals it.',
  header: 'Heading of the session: `date, title, narrator`.',
  nick: 'Name of the narrator, or another name of the person.',
  id: 'Id of the person in the game, of the token or of the job.',
  sha: 'Code that the key was issued with.',
  stream: 'Name of the log stream: `operational`, `request` or `audit`.',
  ref: 'Name of the ref, such as `rada`.',
} as const satisfies Readonly<Record<string, string>>
