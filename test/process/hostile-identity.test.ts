import { equal, ok } from 'node:assert/strict'
import { after, afterEach, before, describe, it } from 'mocha'
import { longestTurnMs } from '#test/support/longest-turn.js'
import { nodeFiles, restoreCommit, startNode, type TestNode } from '#test/support/node.js'

const since = '2026-01-01T00:00:00Z'
const blocks = (count: number, block: (at: number) => string): string =>
  `## Gracz\n${Array.from({ length: count }, (_, at) => block(at)).join('')}`
const person = (at: number): string =>
  `### Osoba ${at}\n- @gameid: ${at}\n- @alias: Al ${at}\n- @rola: Narrator\n`
const role = (at: number) => [`rola${at}`, [`nope${at}`]] as const
const makeBinding = (at: number) => ({ chatId: `c${at}`, gameId: String(at), since, by: 'x' })
const many = <A>(count: number, of: (at: number) => A): ReadonlyArray<A> =>
  Array.from({ length: count }, (_, at) => of(at))

/** What somebody who may push may commit. Before ADR 1008 these held the loop for 0.7 to 35 s. */
const commits: ReadonlyArray<readonly [string, Readonly<Record<string, string>>]> = [
  [
    'a table of 20,000 roles with an id each that there is not',
    { '.svc/roles.json': JSON.stringify({ roles: Object.fromEntries(many(20_000, role)) }) },
  ],
  ['100,000 bindings', { '.svc/bindings.json': JSON.stringify({ bindings: many(100_000, makeBinding) }) }],
  ['20,000 people', { 'kontrybutorzy.md': blocks(20_000, person) }],
  [
    '20,000 people of one id',
    { 'kontrybutorzy.md': blocks(20_000, at => `### Osoba ${at}\n- @gameid: 1\n`) },
  ],
]

describe('hostile files of identity through the whole node', () => {
  let node: TestNode
  let first: string

  before(async () => {
    node = await startNode({ files: nodeFiles })
    first = node.repository.head()
  })
  afterEach(() => restoreCommit(node, first))
  after(() => node.stop())

  for (const [what, files] of commits)
    it(`hold nobody up: ${what}`, async () => {
      node.repository.commit(files, 'hostile')
      const worstMs = await longestTurnMs(async () => {
        await node.host.look()
        for (const path of ['/auth/whoami', '/capabilities', '/identity/5'])
          ok([200, 404].includes((await node.client.ask(path)).status), path)
      })
      equal((await node.client.ask('/health')).status, 200)
      ok(worstMs < 500, `${worstMs} ms`)
    })
})
