import { join } from 'node:path'
import { gitText } from '#src/adapters/git/git-command.js'
import { eventually } from '#test/support/daemon.js'
import { startForgeProcess } from '#test/support/forge/forge-process.js'
import { askToConverge } from './client.js'
import { type BenchDaemon, startBenchDaemon } from './daemon.js'
import { type Figure, figureAtMost, figureWithoutBar, inPairs, mediansOf, ratiosOf } from './figure.js'
import { cloneTwice, setConfigKeys, setServerKeys } from './worlds.js'
import { openWriter, type WriteTarget, writeTargetsOf } from './writer.js'

const pairs = 10
const writesInPair = 8

interface PublishingNode {
  readonly daemon: BenchDaemon
  readonly requests: () => Promise<number>
  readonly stop: () => Promise<void>
}

/** A node on a clone of the world that publishes in a mode to a remote of its own, which is also a forge. */
const startPublisher = async (
  folder: string,
  world: string,
  mode: 'push' | 'mr',
): Promise<PublishingNode> => {
  const { place, bare, mine } = await cloneTwice(folder, `publish-${mode}`, world)
  const forge = await startForgeProcess(bare)
  await gitText(['remote', 'set-url', 'origin', forge.remote], { cwd: mine })
  await setServerKeys(mine, { publish_mode: mode, sync_interval_min: 1 })
  await setConfigKeys(mine, 'integrations', { forge: { api_url: forge.apiUrl, project: forge.project } })
  const daemon = await startBenchDaemon({
    repo: mine,
    state: join(place, 'state'),
    env: { SVC_FORGE_TOKEN: forge.token },
  })
  await askToConverge(daemon)
  return {
    daemon,
    requests: async () => (await forge.requests()).length,
    stop: async () => {
      await daemon.stop()
      await forge.stop()
    },
  }
}

/** The times of writes to both nodes, which take turns, in ms. */
const writeInTurns = (
  [left, right]: readonly [PublishingNode, PublishingNode],
  targets: ReadonlyArray<WriteTarget>,
): Promise<ReadonlyArray<readonly [number, number]>> => {
  const writerOf = ({ daemon }: PublishingNode) => {
    const write = openWriter(daemon, 1)
    let turn = 0
    return async (): Promise<number> => {
      const target = targets[turn % targets.length]
      turn += 1
      if (target === undefined) throw new Error('a world without entities')
      const { askedMs, answeredMs } = await write(target, `pomiar publikacji ${turn}`)
      return answeredMs - askedMs
    }
  }
  return inPairs(pairs * writesInPair, writerOf(left), writerOf(right))
}

/** What mode `mr` costs a write: nothing, since a write waits for no remote and no forge. */
export const publishModeFigures = async (folder: string, world: string): Promise<ReadonlyArray<Figure>> => {
  const nodes: Array<PublishingNode> = []
  try {
    const push = await startPublisher(folder, world, 'push')
    nodes.push(push)
    const mr = await startPublisher(folder, world, 'mr')
    nodes.push(mr)
    const times = await writeInTurns([mr, push], await writeTargetsOf(world))
    await eventually(mr.requests, count => count > 0)
    const of = (side: 0 | 1): ReadonlyArray<number> =>
      mediansOf(
        times.map(pair => pair[side]),
        writesInPair,
      )
    const [requested, pushed] = [of(0), of(1)]
    const ratios = ratiosOf(requested.map((ms, at) => [ms, pushed[at] ?? Number.NaN]))
    return [
      figureAtMost('a write in mode mr against one in mode push', 'x', 1.1, ratios),
      figureWithoutBar('a write in mode mr', 'ms', requested),
    ]
  } finally {
    for (const node of nodes) await node.stop()
  }
}
