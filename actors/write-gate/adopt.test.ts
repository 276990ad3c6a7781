import { deepEqual, equal, match } from 'node:assert/strict'
import { isLeft, isRight } from 'fp-ts/lib/Either.js'
import { afterEach, beforeEach, describe, it } from 'mocha'
import type { Adoption } from '#protocol/host/admin.js'
import { openTreeSource } from '#src/adapters/git/git-source.js'
import { type OpenLanding, openLanding } from '#src/adapters/landing/landing.js'
import { ledgerBytesMax } from '#src/domain/lore/layout.js'
import type { TreeSource } from '#src/ports/git.js'
import { admitMachine } from '#test/support/commands.js'
import { type Repository, repositoryOf, temporaryFolder, writeFiles } from '#test/support/repository.js'
import { sourceFile } from '#test/support/world.js'
import { type AdoptPorts, adopt, atTheHost, claimedAtTheHost as claimed } from './adopt.js'

const dry = { dryRun: true, origin: atTheHost, claimed }
const applied = { dryRun: false, origin: atTheHost, claimed }

const report: Adoption = {
  Applied: true,
  Entities: { players: 0, characters: 0, npc: 0, locations: 0, maps: 0, preserved: 0 },
  SessionsObserved: 0,
  SessionRegistry: {
    Applied: true,
    Roots: 0,
    Files: { Written: 0, Unchanged: 0 },
    Sessions: { Total: 0, Placed: 0 },
  },
  Findings: [],
}

describe('an adoption through the gate', () => {
  let repository: Repository
  let source: TreeSource
  let landing: OpenLanding
  let published: number
  const ports = (changed: Readonly<Record<string, string>>): AdoptPorts => ({
    source,
    landing,
    newIntent: () => 'intent-1',
    done: () => undefined,
    diskRefused: () => undefined,
    nowMs: () => 1_700_000_000_000,
    fresh: () => Promise.resolve(null),
    admit: admitMachine,
    plan: files =>
      Promise.resolve({
        report,
        refused: [],
        changes: Object.entries(changed)
          .filter(([path, text]) => files.get(path)?.text !== text)
          .map(([path, after]) => ({
            path: sourceFile(path, '').path,
            before: files.get(path)?.blob ?? null,
            after,
          })),
      }),
    lineOrigins: () => Promise.resolve([]),
    published: () => {
      published += 1
      return Promise.resolve(true)
    },
  })
  const commits = () => repository.git('rev-list', '--count', 'HEAD')

  beforeEach(() => {
    repository = repositoryOf({ 'Gracze.md': '# Gracze\n' })
    source = openTreeSource(repository.path)
    landing = openLanding({ repo: repository.path, intents: null })
    published = 0
  })
  afterEach(async () => {
    landing.close()
    await source.close()
    repository.dispose()
  })

  it('is one commit, published before it is answered; the second run makes none', async () => {
    const plan = ports({ '.svc/format.json': '{"format": 2}\n' })
    equal(isRight(await adopt(plan, applied)), true)
    equal(commits(), '2')
    equal(published, 1)
    equal(isRight(await adopt(plan, applied)), true)
    equal(commits(), '2')
  })

  it('is of the person and the route that asked for it', async () => {
    const actor = { name: 'Brzoza', gracz: 'Brzoza', kind: 'session' }
    const origin = { actor, route: 'POST /locations/reindex' }
    equal(isRight(await adopt(ports({ 'a.md': 'a' }), { dryRun: false, origin, claimed })), true)
    equal(repository.git('log', '-1', '--format=%s %an'), 'places: rebuild the index Brzoza')
    match(repository.git('log', '-1', '--format=%(trailers:only)'), /Svc-Route: POST \/locations\/reindex/)
  })

  it('writes nothing on a dry run', async () => {
    equal(isRight(await adopt(ports({ 'a.md': 'a' }), dry)), true)
    equal(commits(), '1')
    equal(repository.git('status', '--porcelain'), '')
  })

  it('names the files of a dirty work tree and leaves them', async () => {
    writeFiles(repository.path, { 'Gracze.md': 'half a sentence' })
    const outcome = await adopt(ports({ 'a.md': 'a' }), applied)
    deepEqual(isLeft(outcome) && outcome.left._tag === 'WorkTreeDirty' && outcome.left.files, ['Gracze.md'])
    equal(commits(), '1')
  })

  it('refuses a tree with a ledger that it cannot read, dry or not', async () => {
    const ledger = '.svc/close/ledger.jsonl'
    const enlarged: TreeSource = {
      ...source,
      list: async head => {
        const { entries, ...listing } = await source.list(head)
        const sized = entries.map(one => (one.path === ledger ? { ...one, bytes: ledgerBytesMax + 1 } : one))
        return { ...listing, entries: sized }
      },
    }
    const head = repository.commit({ [ledger]: 'no row\n' })
    const refuses = async (of: TreeSource) => {
      for (const asked of [dry, applied]) {
        const outcome = await adopt({ ...ports({ 'a.md': 'a' }), source: of }, asked)
        const findings =
          isLeft(outcome) && outcome.left._tag === 'AdoptionFailed' ? outcome.left.findings : []
        match(findings.join(), /^\.svc\/close\/ledger\.jsonl cannot be read: it is above 64 MiB/)
      }
    }
    await refuses(enlarged)
    equal(repository.head(), head)
    equal(isRight(await adopt(ports({ 'a.md': 'a' }), applied)), true, 'a line is a matter of its readers')
    const undecodable = repository.commit({ [ledger]: Buffer.from([0xff, 0x0a]) })
    await refuses(source)
    equal(repository.head(), undecodable)
  })

  it('refuses a plain directory and a repository of a newer format', async () => {
    const folder = temporaryFolder()
    const plain = openTreeSource(folder.path)
    const refused = await adopt({ ...ports({}), source: plain, landing: null }, applied)
    equal(isLeft(refused) && refused.left._tag, 'NoRepository')
    folder.dispose()
    repository.commit({ '.svc/format.json': '{"format": 3}' })
    const newer = await adopt(ports({ 'a.md': 'a' }), dry)
    equal(isLeft(newer) && newer.left._tag, 'SchemaTooNew')
  })
})
