import { deepEqual, equal, match } from 'node:assert/strict'
import { isLeft, right } from 'fp-ts/lib/Either.js'
import { afterEach, beforeEach, describe, it } from 'mocha'
import { openTreeSource } from '#src/adapters/git/git-source.js'
import { type OpenLanding, openLanding } from '#src/adapters/landing/landing.js'
import type { SourceFile } from '#src/domain/lore/layout.js'
import type { TreeSource } from '#src/ports/git.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'
import { admitMachine, testCommand } from '#test/support/commands.js'
import { landIn, repoPathOf } from '#test/support/landing-rig.js'
import { type Repository, repositoryOf, writeFiles } from '#test/support/repository.js'
import { worldOf } from '#test/support/world.js'
import { type PreviewPorts, preview } from './preview.js'
import { headFilesIn } from './watch.js'

const [mine, other] = [repoPathOf('encje/indeks.md'), repoPathOf('encje/indeks-02.md')]

const fileIn = ({ files }: Snapshot, path: string): SourceFile => {
  const file = files.get(path)
  if (file === undefined) throw new Error(`no ${path}`)
  return file
}

describe('a dry run beside a client that writes all the time', () => {
  let repository: Repository
  let source: TreeSource
  let landing: OpenLanding
  let writes: number
  /** The commits that were planned on. */
  let planned: Array<string | null>

  beforeEach(() => {
    repository = repositoryOf({ [mine]: '### Orrin\n', [other]: '### Erathia\n' })
    source = openTreeSource(repository.path)
    landing = openLanding({ repo: repository.path, intents: null })
    writes = 0
    planned = []
  })
  afterEach(async () => {
    landing.close()
    await source.close()
    repository.dispose()
  })

  /** The snapshot of HEAD, with the blobs that git has. */
  const snapshotNow = async (): Promise<Snapshot> => {
    const head = await source.head()
    const { entries } = await source.list(head)
    const files = new Map<string, SourceFile>()
    for (const entry of entries) {
      const text = (await source.read(entry))?.toString('utf8') ?? ''
      files.set(entry.path, { path: entry.path, blob: entry.blob, text, undecodable: false })
    }
    return { ...worldOf({}), commit: head.commit, files }
  }

  /** One landing of this host, which adds a row to the file. */
  const write = async (path: typeof mine): Promise<void> => {
    writes += 1
    const now = await snapshotNow()
    const file = fileIn(now, path)
    const landed = await landIn(landing, now.commit, [{ path, before: file.blob }], {
      intent: `intent-${writes}`,
      actor: 'machine',
      route: 'PATCH /entities/:name',
      author: { name: 'machine', email: 'machine@example.org' },
      message: 'a\n',
      after: new Map([[path, Buffer.from(`${file.text}- @info: ${writes}\n`)]]),
      audit: [],
    })
    equal(isLeft(landed), false)
  }

  /** A host of which another client writes to `written` each time between the plan and the look. */
  const portsBeside = (written: typeof mine): PreviewPorts => ({
    admit: admitMachine,
    hooks: [],
    nowMs: () => 0,
    warn: () => undefined,
    containsCommit: () => Promise.resolve(true),
    plan: (_command, snapshot) => {
      planned.push(snapshot.commit)
      const splices = [{ from: 2, to: 1, lines: ['- @typ: NPC'] }]
      const edits = [{ _tag: 'Lines', path: mine, before: fileIn(snapshot, mine).blob, splices } as const]
      return right({ edits, claims: [], touches: [], subject: 's', answer: {}, preview: {} })
    },
    read: async ({ path, before }) => {
      const bytes = before === null ? null : await source.read({ path, blob: before, bytes: 0 })
      await write(written)
      return bytes
    },
    checked: { landing, headFiles: headFilesIn(source), fresh: snapshotNow },
    trees: new Map(),
  })

  const dryRun = async (written: typeof mine) => {
    const outcome = await preview(portsBeside(written), await snapshotNow(), testCommand({ dryRun: true }))
    if (isLeft(outcome)) return { refused: outcome.left }
    const said: unknown = Reflect.get(Object(outcome.right.body), 'diff')
    return { commit: outcome.right.commit, diff: said }
  }
  /** What a dry run did whose caller leaves after so many questions whether they are there. */
  const leaveAfter = async (questions: number) => {
    let asked = 0
    let looks = 0
    const ports = portsBeside(mine)
    const { checked } = ports
    if (checked === null) throw new Error('a host with git')
    const headFiles: typeof checked.headFiles = (...args) => {
      looks += 1
      return checked.headFiles(...args)
    }
    const outcome = await preview(
      { ...ports, checked: { ...checked, headFiles } },
      await snapshotNow(),
      testCommand({ dryRun: true }),
      () => {
        asked += 1
        return asked <= questions
      },
    )
    match(isLeft(outcome) ? outcome.left.detail : '', /^The caller left before/)
    return { plans: planned.length, looks }
  }
  const diff = [`--- a/${mine}`, `+++ b/${mine}`, '@@ -1,0 +2,1 @@', '+- @typ: NPC', ''].join('\n')

  it('is answered for the commit that it was planned on, where the writes are to other files', async () => {
    const { commit } = await snapshotNow()
    deepEqual(await dryRun(other), { commit, diff })
    deepEqual([planned, writes], [[commit], 1])
  })

  it('is planned twice at most where they are to the same file, and never fails because of them', async () => {
    const answer = await dryRun(mine)
    deepEqual([answer.refused, answer.diff], [undefined, diff])
    equal(writes, 2)
    deepEqual([planned.length, planned[1]], [2, answer.commit])
  })

  it('is not planned, does not look, and is not planned again once its caller has left', async () => {
    deepEqual(await leaveAfter(0), { plans: 0, looks: 0 })
    deepEqual(await leaveAfter(1), { plans: 1, looks: 0 })
    planned = []
    deepEqual(await leaveAfter(2), { plans: 1, looks: 1 })
  })

  it('still finds the draft of a person', async () => {
    writeFiles(repository.path, { [mine]: 'szkic' })
    const { refused } = await dryRun(other)
    deepEqual([refused?._tag, refused?._tag === 'WorkTreeDirty' && refused.files], ['WorkTreeDirty', [mine]])
  })
})
