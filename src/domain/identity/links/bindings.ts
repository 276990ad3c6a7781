import { isLeft } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { Instant } from '#protocol/atoms.js'
import type { Finding } from '#src/domain/lore/finding.js'
import { firstFindings } from '#src/domain/lore/first-findings.js'
import type { SourceFile } from '#src/domain/lore/source-file.js'
import { readCommittedJson } from '../committed-json.js'

export const bindingsPath = '.svc/bindings.json'

export const Binding = t.readonly(
  t.type({ chatId: t.string, gameId: t.string, since: Instant, by: t.string }),
  'Binding',
)
/** A chat account that speaks for a game id. */
export type Binding = t.TypeOf<typeof Binding>

/** `.svc/bindings.json` (LAYOUT): at most one binding for each chat account and for each game id. */
export const BindingsFile = t.type({ bindings: t.readonlyArray(Binding) }, 'BindingsFile')

export interface Bindings {
  /**
   * All bindings of the file. Null when the file cannot be read or has an account or id twice: no write
   * replaces it then, because the result could activate a binding that nobody asked for.
   */
  readonly stored: ReadonlyArray<Binding> | null
  /** Fields beside the list that this daemon does not know; a write keeps them. */
  readonly head: Readonly<Record<string, unknown>>
  readonly byChat: ReadonlyMap<string, Binding>
  readonly byGame: ReadonlyMap<string, Binding>
  readonly findings: ReadonlyArray<Finding>
}

const none: Bindings = { stored: [], head: {}, byChat: new Map(), byGame: new Map(), findings: [] }

const finding = (file: SourceFile, kind: string, subject: string | null, reason: string): Finding => ({
  kind,
  severity: 'error',
  file: file.path,
  line: null,
  subject,
  reason,
  suggestion: 'Popraw plik albo przywróć jego poprzednią wersję.',
})

const form = '{"bindings": [{"chatId", "gameId", "since", "by"}]}'

const unreadable = (file: SourceFile, fault: string): Finding =>
  finding(file, 'BindingsUnreadable', null, `Plik powiązań ${fault}; żadne powiązanie nie działa.`)

/** Keys that occur more than once. The file does not tell which binding is meant, so none of them counts. */
const twice = (all: ReadonlyArray<Binding>, key: 'chatId' | 'gameId'): ReadonlySet<string> => {
  const seen = new Set<string>()
  const again = new Set<string>()
  for (const one of all) (seen.has(one[key]) ? again : seen).add(one[key])
  return again
}

/**
 * The bindings of the committed file. An unreadable file, or a repeated key, binds nobody and is a finding.
 */
export const bindingsOf = (file: SourceFile | null): Bindings => {
  if (file === null) return none
  const read = readCommittedJson(file, BindingsFile, form)
  if (isLeft(read)) return { ...none, stored: null, findings: [unreadable(file, read.left)] }
  const { bindings, ...head } = read.right
  const chats = twice(bindings, 'chatId')
  const games = twice(bindings, 'gameId')
  const sound = bindings.filter(one => !chats.has(one.chatId) && !games.has(one.gameId))
  return {
    stored: chats.size + games.size > 0 ? null : bindings,
    head,
    byChat: new Map(sound.map(one => [one.chatId, one])),
    byGame: new Map(sound.map(one => [one.gameId, one])),
    findings: firstFindings([...chats, ...games], key =>
      finding(file, 'BindingTwice', key, `${key} ma więcej niż jedno powiązanie; żadne z nich nie działa.`),
    ),
  }
}
