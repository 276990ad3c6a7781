import { bundles } from '#src/domain/identity/roles.js'
import type { Allowance } from '../verdicts/rights.js'
import { type AttackerRole, attackers } from '../worlds/base.js'

/** Who attacks, and what they may change. */
export interface CallerKind {
  readonly name: string
  readonly person: string | null
  readonly gameId: string | null
  /** Frozen capabilities of a named token; null: a person's login, or nobody. */
  readonly capabilities: ReadonlyArray<string> | null
  readonly allowance: Allowance
  /** Whether it reads restricted topics: it awards, edits lore or moderates (A 5). */
  readonly restricted: boolean
}

const reports = /^zgłoszenia\//u
const sessionPaths = [/^(?!encje\/|Postaci\/|Lokacje\/|\.).+\.md$/u, /^\.svc\/(?:sessions|staged)\//u]
const registry = /^Lokacje\/.+\/Sesje\.md$/u
const bindings = /^\.svc\/bindings\.json$/u

const may = (allowance: Partial<Allowance>): Allowance => ({
  person: null,
  blocks: 'none',
  paths: [],
  ownKey: false,
  ...allowance,
})

const ofRole: Readonly<Record<AttackerRole, Partial<Allowance>>> = {
  gracz: {},
  narrator: { blocks: 'any', paths: [reports, ...sessionPaths] },
  radny: { blocks: 'any', paths: [reports, ...sessionPaths, registry, bindings] },
  it: {},
  bot: { ownKey: true },
  mc: {},
  smc: {},
  'gracz machine': {},
}

const people: ReadonlyArray<CallerKind> = Object.entries(attackers).map(([role, { person, gameId }]) => ({
  name: role,
  person,
  gameId,
  capabilities: null,
  restricted: ['narrator', 'radny', 'mc', 'smc'].includes(role),
  allowance: may({
    person,
    blocks: 'own',
    paths: [reports],
    ...Object.entries(ofRole).find(([name]) => name === role)?.[1],
  }),
}))

const token = (
  name: string,
  capabilities: ReadonlyArray<string>,
  allowance: Partial<Allowance> = {},
): CallerKind => ({
  name,
  person: null,
  gameId: null,
  capabilities,
  restricted: false,
  allowance: may(allowance),
})

/** The callers of D44, nobody, and tokens of few capabilities. A token is of no person: nothing is its own. */
export const callers: ReadonlyArray<CallerKind> = [
  {
    name: 'anonymous',
    person: null,
    gameId: null,
    capabilities: null,
    restricted: false,
    allowance: may({}),
  },
  ...people,
  token('token of entity.read', ['entity.read']),
  token('token of player.write.own', ['player.read', 'player.write.own']),
  token('token of session.write', ['session.read', 'session.write', 'entity.read'], { paths: sessionPaths }),
  token('token of session.report', ['session.report'], { paths: [reports] }),
  token('token of log.read', ['log.read']),
  token('token of chat.dispatch', ['chat.dispatch']),
  token('token of chat.send', ['chat.send']),
  token(
    'token of gracz',
    (bundles['gracz'] ?? []).filter(one => !one.endsWith('.declare.own')),
    {
      paths: [reports],
    },
  ),
]

export const callerNamed = (name: string): CallerKind => {
  const found = callers.find(one => one.name === name)
  if (found === undefined) throw new Error(`no caller is named "${name}"`)
  return found
}
