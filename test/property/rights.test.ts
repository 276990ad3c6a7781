import { equal, ok } from 'node:assert/strict'
import fc from 'fast-check'
import { describe, it } from 'mocha'
import { type CapabilityId, capabilities } from '#protocol/atoms.js'
import type { Caller } from '#src/domain/callers/caller.js'
import { bindingsOf } from '#src/domain/identity/bindings.js'
import type { IdentityGround } from '#src/domain/identity/callers.js'
import {
  type LoginRight,
  loginCaller,
  type NamedRight,
  namedCaller,
  tokenHash,
} from '#src/domain/identity/credentials/tokens.js'
import { gradeOf } from '#src/domain/identity/grade.js'
import { grantsOf } from '#src/domain/identity/grants.js'
import { rolesTableOf } from '#src/domain/identity/roles.js'
import { parseContributorStore } from '#src/domain/people/contributor-store.js'
import {
  calendarDay,
  grantsText,
  rightsBindingsText,
  rightsRolesText,
  storeText,
} from '#test/support/identity/rights-files.js'
import {
  capabilitiesGivenTo,
  type Rights,
  type RightVerdict,
  rightVerdictOf,
  sessionVerdict,
} from '#test/support/identity/rights-model.js'
import {
  chatIds,
  firstRights,
  gameIds,
  type RightsStep,
  rightsSteps,
} from '#test/support/identity/rights-steps.js'
import { runsOf } from '#test/support/runs.js'
import { sourceFile } from '#test/support/world.js'

const asked: ReadonlyArray<CapabilityId> = [
  'entity.read',
  'sync.read',
  'sync.run',
  'pu.read',
  'player.write',
  'apikey.manage',
  'currency.read',
  'docs.edit',
  'session.write',
  'log.read',
]

const roles = rolesTableOf(sourceFile('.svc/roles.json', rightsRolesText(firstRights)))

const groundOf = (rights: Rights): IdentityGround => ({
  people: parseContributorStore(sourceFile('kontrybutorzy.md', storeText(rights))),
  day: calendarDay(rights.today),
  roles,
  grants: grantsOf(sourceFile('.svc/grants.json', grantsText(rights))),
  bindings: bindingsOf(sourceFile('.svc/bindings.json', rightsBindingsText(rights))),
})

/** Every login that somebody could have, by its token. */
const sessions: ReadonlyArray<readonly [token: string, right: LoginRight]> = [null, ...chatIds].flatMap(
  chatId =>
    gameIds.map(gameId => [`sess_${gameId}_${chatId ?? ''}`, { gameId, chatId, expiresMs: 1 }] as const),
)
const keptSessions = new Map(
  sessions.map(([token, right]) => {
    const hash = tokenHash(token)
    return [hash.toString('hex'), { hash, right }] as const
  }),
)
const session = loginCaller(hash => keptSessions.get(hash) ?? null)

const gradeCaller = (caller: Caller | null, capability: CapabilityId): RightVerdict =>
  caller === null ? 'nobody' : gradeOf(caller.holds, capability)

/** Named tokens of one sequence: what each was given when it was minted, by the model's own reckoning. */
const makeNamedTokens = () => {
  const kept = new Map<string, { readonly hash: Buffer; readonly right: NamedRight }>()
  const all: Array<readonly [token: string, frozen: ReadonlyArray<string>]> = []
  return {
    all,
    caller: namedCaller(hash => kept.get(hash) ?? null),
    mint: (frozen: ReadonlyArray<string>): void => {
      const token = `named_${all.length}.x`
      const hash = tokenHash(token)
      kept.set(hash.toString('hex'), {
        hash,
        right: { id: String(all.length), name: 'bot', capabilities: frozen, expiresMs: null },
      })
      all.push([token, frozen])
    },
  }
}

const counts = { requests: 0, nobody: 0, none: 0, own: 0, full: 0 }

const run = (steps: ReadonlyArray<RightsStep>): void => {
  const named = makeNamedTokens()
  let rights = firstRights
  for (const [at, { mints, then }] of steps.entries()) {
    rights = then(rights)
    const ground = groundOf(rights)
    const said = (what: string): string =>
      `${what} after: ${steps
        .slice(0, at + 1)
        .map(one => one.says)
        .join('; ')}`
    const given = mints === null ? null : capabilitiesGivenTo(rights, mints)
    if (given !== null) named.mint(capabilities.filter(one => rightVerdictOf(given, one) === 'full'))
    const some = [0, 1, 2, 3].flatMap(n => asked[(at * 3 + n + steps.length) % asked.length] ?? [])
    for (const [token, right] of sessions) {
      const caller = session(token, ground, 0)
      for (const capability of some) {
        const verdict = sessionVerdict(rights, right, capability)
        counts.requests += 1
        counts[verdict] += 1
        if (gradeCaller(caller, capability) !== verdict)
          equal(gradeCaller(caller, capability), verdict, said(`${token} asks for ${capability}`))
      }
    }
    for (const [token, frozen] of named.all)
      for (const capability of some) {
        const [is, was] = [
          gradeCaller(named.caller(token, ground, 0), capability),
          rightVerdictOf(frozen, capability),
        ]
        if (is !== was) equal(is, was, said(`${token}, frozen, asks for ${capability}`))
      }
  }
}

describe('rights against a model', () => {
  it('answer sequences of grants, roles, ids, links and days as the model does', function () {
    this.timeout(600_000)
    fc.assert(fc.property(rightsSteps(6), run), { numRuns: runsOf(10_000) })
    process.stdout.write(`      ${JSON.stringify(counts)}\n`)
    for (const verdict of ['nobody', 'none', 'own', 'full'] as const)
      ok(counts[verdict] > counts.requests / 200, `${verdict} is hardly ever the answer`)
  })

  it('would be seen to differ: a model in which an own-only sync is a grant', () => {
    const rights: Rights = { ...firstRights, granted: [[gameIds[0], 'sync.read.own']] }
    const caller = session(`sess_${gameIds[0]}_`, groundOf(rights), 0)
    equal(gradeCaller(caller, 'sync.read'), 'none')
    equal(rightVerdictOf(['sync.read.own'], 'sync.read'), 'none')
    equal(rightVerdictOf(['pu.read.own'], 'pu.read'), 'own')
  })
})
