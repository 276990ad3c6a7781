import { deepEqual, equal, fail, ok } from 'node:assert/strict'
import fc from 'fast-check'
import { isLeft } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { after, before, describe, it, type Suite } from 'mocha'
import { capabilities } from '#protocol/atoms.js'
import { startBuilt } from '#test/support/built-host.js'
import type { Host, StartHost } from '#test/support/host.js'
import { rightsRolesText, storeText } from '#test/support/identity/rights-files.js'
import {
  capabilitiesGivenTo,
  type Rights,
  type RightVerdict,
  rightVerdictOf,
  sessionVerdict,
} from '#test/support/identity/rights-model.js'
import { firstRights, gameIds } from '#test/support/identity/rights-steps.js'
import { startNode } from '#test/support/node.js'
import { runsOf } from '#test/support/runs.js'

/** A request that tells how far a capability is held, by the status of its answer. */
interface Probe {
  readonly capability: string
  readonly method: string
  readonly path: string
  readonly status: Readonly<Record<RightVerdict, number>>
}

const readProbe = (capability: string, path: string, own: number): Probe => ({
  capability,
  method: 'GET',
  path,
  status: { nobody: 401, none: 403, own, full: 200 },
})

const probes: ReadonlyArray<Probe> = [
  readProbe('sync.read', '/sync', 403),
  readProbe('pu.read', '/pu/timeline', 200),
  readProbe('log.read', '/logs/audit', 403),
  readProbe('token.manage', '/tokens', 403),
  readProbe('entity.read', '/entities', 403),
  {
    capability: 'player.write',
    method: 'DELETE',
    path: '/characters/Nikt?dryRun=true',
    status: { nobody: 401, none: 403, own: 403, full: 404 },
  },
]

const gifts = ['sync.read', 'log.read', 'pu.all', 'token.manage', 'player.write', 'admin.all'] as const
const roles = ['straż', 'skryba', 'mag'] as const
const dayMs = 86_400_000
const today = Math.floor((Date.now() - Date.parse('2026-06-15T00:00:00Z')) / dayMs)
const ranges = { open: { from: null, to: null }, ended: { from: null, to: today - 2 }, gone: null } as const

type Deed =
  | { readonly does: 'grant' | 'revoke'; readonly id: string; readonly gift: string }
  | {
      readonly does: 'roles' | 'ids'
      readonly who: 'Anna' | 'Bolko'
      readonly what: string
      readonly range: keyof typeof ranges
    }
  | { readonly does: 'mint'; readonly id: string }

const somebody = fc.constantFrom('Anna' as const, 'Bolko' as const)
const range = fc.constantFrom('open' as const, 'open' as const, 'ended' as const, 'gone' as const)
const id = fc.constantFrom(gameIds[0], gameIds[1])
const gift = fc.constantFrom(...gifts)

const ofId = (who: 'Anna' | 'Bolko', what: string, kind: keyof typeof ranges): Deed => ({
  does: 'ids',
  who,
  what,
  range: kind,
})

/** An id is mostly its owner's; now and then it ends, or somebody else has it too for a while. */
const idDeeds = [
  ofId('Anna', gameIds[0], 'open'),
  ofId('Anna', gameIds[0], 'open'),
  ofId('Anna', gameIds[0], 'ended'),
  ofId('Bolko', gameIds[1], 'open'),
  ofId('Bolko', gameIds[1], 'open'),
  ofId('Bolko', gameIds[1], 'gone'),
  ofId('Bolko', gameIds[0], 'open'),
  ofId('Bolko', gameIds[0], 'gone'),
  ofId('Bolko', gameIds[0], 'gone'),
]

const deed: fc.Arbitrary<Deed> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ does: fc.constantFrom('grant' as const, 'revoke' as const), id, gift }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      does: fc.constant('roles' as const),
      who: somebody,
      what: fc.constantFrom(...roles),
      range,
    }),
  },
  { weight: 2, arbitrary: fc.constantFrom(...idDeeds) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('mint' as const), id }) },
)

const frozenMax = 12

/** How a host is walked: a seed of its own makes a short walk the same each time. */
interface Walk {
  readonly start: StartHost
  readonly sequences: number
  readonly seed?: number
}

const rightsOf = (where: string, { start, sequences, ...chance }: Walk): Suite =>
  describe(where, () => {
    let node: Host
    let rights: Rights = { ...firstRights, today }
    const sessions = new Map<string, string>()
    const frozen: Array<{ readonly token: string; readonly given: ReadonlyArray<string> }> = []
    const counts = { commits: 0, requests: 0, nobody: 0, none: 0, own: 0, full: 0 }

    before(async () => {
      node = await start({
        sessionsOf: gameIds,
        files: {
          '.svc/format.json': '{"format": 2}\n',
          '.svc/config.json': '{"server": {"selfheal_interval_ms": 0}}\n',
          '.svc/roles.json': rightsRolesText(rights),
          'kontrybutorzy.md': storeText(rights),
        },
      })
      for (const gameId of gameIds) sessions.set(gameId, await node.session(gameId))
    })
    after(() => node.stop())

    const given = async (one: Extract<Deed, { gift: string }>): Promise<void> => {
      const { does, id: gameId, gift: capability } = one
      const stands = rights.granted.some(([who, what]) => who === gameId && what === capability)
      const known = capabilitiesGivenTo(rights, gameId) !== null
      const body = JSON.stringify({ gameId, capability })
      const { status, text } = await node.client.ask(`/capabilities/${does}`, { method: 'POST', body })
      equal(status, known || (does === 'revoke' && stands) ? 200 : 404, `${does} ${capability}: ${text}`)
      if (status !== 200) return
      const others = rights.granted.filter(([who, what]) => who !== gameId || what !== capability)
      rights = { ...rights, granted: does === 'grant' ? [...others, [gameId, capability]] : others }
      if ((does === 'grant') !== stands) counts.commits += 1
    }

    /** A commit that somebody makes beside the host, which looks at every request. */
    const edited = ({ does, who, what, range: kind }: Extract<Deed, { who: string }>): void => {
      const person = rights.people[who] ?? { ids: {}, roles: {} }
      const others = Object.fromEntries(Object.entries(person[does]).filter(([name]) => name !== what))
      const one = ranges[kind]
      const changed = { ...person, [does]: one === null ? others : { ...others, [what]: one } }
      const next = { ...rights, people: { ...rights.people, [who]: changed } }
      if (storeText(next) === storeText(rights)) return
      rights = next
      node.repository.commit({ 'kontrybutorzy.md': storeText(rights) })
      counts.commits += 1
    }

    const minted = async (gameId: string): Promise<void> => {
      const has = capabilitiesGivenTo(rights, gameId)
      if (has === null || frozen.length >= frozenMax) return
      const wanted = capabilities.filter(one => one !== 'docs.edit' && rightVerdictOf(has, one) === 'full')
      const body = JSON.stringify({ name: `kopia-${frozen.length}`, capabilities: wanted })
      const { status, json, text } = await node.client.ask('/tokens', { method: 'POST', body })
      const answer = t.type({ token: t.string }).decode(json)
      if (isLeft(answer)) fail(`${status} ${text}`)
      frozen.push({ token: answer.right.token, given: wanted })
    }

    const done = async (one: Deed): Promise<void> => {
      switch (one.does) {
        case 'grant':
        case 'revoke':
          return given(one)
        case 'roles':
        case 'ids':
          edited(one)
          return
        case 'mint':
          return minted(one.id)
      }
    }

    const isAnswered = async (
      token: string,
      probe: Probe,
      verdict: RightVerdict,
      what: string,
    ): Promise<void> => {
      const { method, path, capability, status: expected } = probe
      const { status, text } = await node.client.ask(path, { method, token })
      equal(status, expected[verdict], `${what} asks for ${capability}, ${verdict} by the model: ${text}`)
      if (status === 403) ok(text.includes(`"required":"${capability}"`), text)
      counts.requests += 1
      counts[verdict] += 1
    }

    const asked = async (turn: number): Promise<void> => {
      for (const [at, gameId] of gameIds.entries()) {
        const token = sessions.get(gameId) ?? ''
        for (const n of [0, 3]) {
          const probe = probes[(turn + at + n) % probes.length]
          if (probe === undefined) continue
          const verdict = sessionVerdict(rights, { gameId, chatId: null }, probe.capability)
          await isAnswered(token, probe, verdict, gameId)
        }
      }
      const one = frozen[turn % frozenMax]
      const probe = probes[turn % probes.length]
      if (one === undefined || probe === undefined) return
      // A token that speaks for nobody has nothing of its own.
      const full = rightVerdictOf(one.given, probe.capability) === 'full'
      await isAnswered(one.token, probe, full ? 'full' : 'none', 'a named token')
    }

    it(`answer ${sequences} sequences of commits and requests as the model does`, async function () {
      this.timeout(600_000)
      let turn = 0
      // One token has frozen rights from the beginning: a walk may mint none.
      await minted(gameIds[0])
      await fc.assert(
        fc.asyncProperty(fc.array(deed, { minLength: 1, maxLength: 2 }), async deeds => {
          for (const one of deeds) await done(one)
          await asked(turn)
          turn += 1
        }),
        { numRuns: sequences, endOnFailure: true, ...chance },
      )
      process.stdout.write(`      ${JSON.stringify(counts)}\n`)
      deepEqual([turn, counts.commits > sequences / 3, frozen.length > 0], [sequences, true, true])
      for (const verdict of ['nobody', 'none', 'own', 'full'] as const) ok(counts[verdict] > 0, verdict)
    })
  })

describe('rights of a whole node, against a model', () => {
  rightsOf('in this process', { start: startNode, sequences: runsOf(300) })
  const long = Number(process.env['RIGHTS_SEQUENCES'] ?? 0)
  rightsOf('built and spawned', {
    start: startBuilt,
    ...(long > 0 ? { sequences: long } : { sequences: 40, seed: 7 }),
  })
})
