import { isLeft } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { Instant, nameKey } from '#protocol/atoms.js'
import type { PickedPeople, PickedPerson } from '#protocol/chat/workflows.js'
import { recordListText } from '#src/domain/lore/changes.js'
import { type Finding, firstFindings } from '#src/domain/lore/finding.js'
import type { SourceFile } from '#src/domain/lore/layout.js'
import type { Contributor, RoleBlock } from '#src/domain/people/roster.js'
import { readCommittedJson } from './committed-json.js'

export const bindingsPath = '.svc/bindings.json'

export const Binding = t.readonly(
  t.type({ chatId: t.string, gameId: t.string, since: Instant, by: t.string }),
  'Binding',
)
/** A chat account that speaks for a game id. */
export type Binding = t.TypeOf<typeof Binding>

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

/**
 * The text of `.svc/bindings.json`: one binding a line in order of creation, which a merge of two hosts also
 * uses (ADR 1016). Fields in `head` that this daemon does not know are kept.
 */
export const bindingsText = (
  head: Readonly<Record<string, unknown>>,
  bindings: ReadonlyArray<Binding>,
): string => recordListText(head, 'bindings', bindings)

/** The result of binding an account, with the bindings that it ends. */
export interface AccountBinding {
  readonly binding: Binding
  /** Whether the binding exists already, so that there is nothing to write. */
  readonly alreadyLinked: boolean
  /** The account that has spoken for the id until now and loses it; null when there is none. */
  readonly displaces: string | null
  /** The id that the account has spoken for until now; null when there is none. */
  readonly replaces: string | null
  /** All bindings of the file afterwards. */
  readonly after: ReadonlyArray<Binding>
}

/** Binds an account to an id. Afterwards both occur in exactly one binding (A 4.4.4); other bindings stay. */
export const bindAccount = (
  { byChat, byGame }: Bindings,
  stored: ReadonlyArray<Binding>,
  binding: Binding,
): AccountBinding => {
  const { chatId, gameId } = binding
  const before = byChat.get(chatId) ?? null
  if (before?.gameId === gameId)
    return { binding: before, alreadyLinked: true, displaces: null, replaces: null, after: stored }
  const others = stored.filter(one => one.chatId !== chatId && one.gameId !== gameId)
  return {
    binding,
    alreadyLinked: false,
    displaces: byGame.get(gameId)?.chatId ?? null,
    replaces: before?.gameId ?? null,
    after: [...others, binding],
  }
}

/**
 * The people to whom an account could be bound and whose name, alias or game id begins with `prefix`; in file
 * order.
 */
export const pickPeople = (
  listed: ReadonlyArray<Contributor>,
  { byGame }: Bindings,
  prefix: string,
): PickedPeople => {
  const key = nameKey(prefix)
  const begins = (name: string): boolean => nameKey(name).startsWith(key)
  const picked: Array<PickedPerson> = []
  for (const { person, gameId, aliases } of listed) {
    if (picked.length === pickedMax) break
    if (gameId === null || ![gameId, person.name, ...aliases].some(begins)) continue
    picked.push({ gameId, name: person.name, linked: byGame.has(gameId) })
  }
  const [only] = picked
  return { count: picked.length, items: picked.length === 1 && only !== undefined ? only : picked }
}

/** A role of the store that a person may act for, because they hold the guild role that it names. */
export interface GuildAuthority {
  readonly role: string
  readonly guildRole: string
}

/** The guild roles that the store names by `@chat_rola`, each once (A 4.4). */
export const chatRolesOf = (roles: ReadonlyArray<RoleBlock>): ReadonlyArray<string> => [
  ...new Set(roles.flatMap(({ chatRoles }) => chatRoles)),
]

/**
 * The roles of the store that a person with these guild roles may act for, in the order of the store. Names
 * are compared folded (D11).
 */
export const authoritiesOf = (
  roles: ReadonlyArray<RoleBlock>,
  guild: ReadonlyArray<GuildRole>,
  held: ReadonlyArray<string>,
): ReadonlyArray<GuildAuthority> => {
  const theirs = guild.filter(({ id }) => held.includes(id))
  return roles.flatMap(({ name: role, chatRoles }) =>
    chatRoles.flatMap(declared =>
      theirs
        .filter(({ name }) => nameKey(name) === nameKey(declared))
        .map(({ name: guildRole }) => ({ role, guildRole })),
    ),
  )
}

/**
 * Whether cached guild roles are enough to decide: they give an authority, or they know every declared role
 * and every held id. Otherwise the guild may have changed, and the caller must fetch the roles again.
 */
export const canDecideFromCache = (
  roles: ReadonlyArray<RoleBlock>,
  guild: ReadonlyArray<GuildRole>,
  held: ReadonlyArray<string>,
): boolean => {
  if (authoritiesOf(roles, guild, held).length > 0) return true
  const names = new Set(guild.map(({ name }) => nameKey(name)))
  const ids = new Set(guild.map(({ id }) => id))
  return chatRolesOf(roles).every(name => names.has(nameKey(name))) && held.every(id => ids.has(id))
}

/** `.svc/bindings.json` (LAYOUT): at most one binding for each chat account and for each game id. */
const BindingsFile = t.type({ bindings: t.readonlyArray(Binding) }, 'BindingsFile')

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

/** Most entries of a picker of the chat (A 4.4). */
const pickedMax = 25

/** A role of the guild, as the chat platform reports it. */
interface GuildRole {
  readonly id: string
  readonly name: string
}
