import { deepEqual } from 'node:assert/strict'
import { afterEach, beforeEach, describe, it } from 'mocha'
import type { LookOutcome } from '#actors/corpus-keeper/corpus-keeper.js'
import { type Loaded, load } from '#actors/corpus-keeper/load.js'
import { openLanding } from '#src/adapters/landing/landing.js'
import type { Landing } from '#src/ports/landing.js'
import { type Cell, makeCell } from '#src/snapshot/cell.js'
import { type Repository, repositoryOf, writeFiles } from '#test/support/repository.js'
import { day, hostConfig } from '#test/support/world.js'
import { type Checkout, holdCheckout } from '../start/checkout.js'
import { blockWatch } from './watch.js'

const [index, other] = ['encje/indeks.md', 'encje/indeks-02.md']
const config = hostConfig(undefined)

describe('the watch over what blocks writes, while a person commits', () => {
  let repository: Repository
  let checkout: Checkout
  let afterConfirm: () => Promise<void>
  let held: Cell<Loaded>
  let lastLook: Cell<LookOutcome>

  /** Simulates the keeper's look: from now on the snapshot of HEAD is served. */
  const serveHead = async (): Promise<void> => {
    const { source: lore } = checkout
    const next = await load(
      {
        lore,
        works: null,
        moderators: null,
        language: null,
        config,
        today: () => day('2026-06-15'),
        breathe: () => Promise.resolve(),
        bootFindings: [],
      },
      held.get(),
    )
    if (next === null) return
    held.set(next)
    lastLook.set({ _tag: 'Current', generation: 1, commit: next.loreHead.commit })
  }
  const opened = () => {
    const own = openLanding({ repo: repository.path, intents: null })
    const look: Landing['look'] = async (base, files) => {
      const found = await own.look(base, files)
      await afterConfirm()
      return found
    }
    const log = { info: () => undefined, warn: () => undefined }
    const landing = { ...own, look }
    const watch = blockWatch({
      checkout: { ...checkout, landing },
      config,
      addresses: { pins: {}, given: {} },
      held,
      lastLook,
      sync: { report: makeCell() },
      log,
    })
    const dirty = (): ReadonlyArray<string> =>
      watch
        .blockers()
        .flatMap(({ code, files }) => (code === 'work_tree_dirty' ? files.map(({ path }) => path) : []))
    return { watch: watch.watch, dirty, close: own.close }
  }
  let host: ReturnType<typeof opened>

  beforeEach(async () => {
    repository = repositoryOf({
      '.svc/format.json': '{"format": 2}\n',
      [index]: '### Orrin\n- @typ: NPC\n',
      [other]: '### Erathia\n- @typ: Lokacja\n',
    })
    const holding = await holdCheckout(repository.path, undefined, 'serve')
    if (holding._tag === 'Left') throw new Error(holding.left.reason)
    checkout = holding.right
    afterConfirm = () => Promise.resolve()
    held = makeCell()
    lastLook = makeCell()
    host = opened()
    await serveHead()
  })
  afterEach(async () => {
    host.close()
    await checkout.release()
    repository.dispose()
  })

  const edit = (path: string): void => writeFiles(repository.path, { [path]: '### Orrin\n- @typ: Postać\n' })

  it('drops a list that was made while HEAD moved', async () => {
    edit(index)
    afterConfirm = () => Promise.resolve(void repository.git('commit', '-qam', 'by hand'))
    await host.watch()
    deepEqual(host.dirty(), [])
  })

  it('drops a list that was made while the next commit was published', async () => {
    edit(index)
    afterConfirm = async () => {
      repository.git('commit', '-qam', 'by hand')
      await serveHead()
    }
    await host.watch()
    deepEqual(host.dirty(), [])
  })

  it('lists a committed file no longer once its commit is served, and a draft of another file still', async () => {
    edit(index)
    edit(other)
    await host.watch()
    deepEqual(host.dirty(), [other, index])
    repository.git('commit', '-qm', 'by hand', '--', index)
    await serveHead()
    deepEqual(host.dirty(), [other])
  })

  it('keeps no file of another commit through a look that cannot compare', async () => {
    edit(index)
    await host.watch()
    deepEqual(host.dirty(), [index])
    repository.git('commit', '-qam', 'by hand')
    await host.watch()
    await serveHead()
    lastLook.set({ _tag: 'LookFailed', reason: 'git does not answer', headId: null })
    await host.watch()
    deepEqual(host.dirty(), [])
  })
})
