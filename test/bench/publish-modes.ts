import { join } from 'node:path'
import { gitText } from '#src/adapters/git/git-command.js'
import { eventually } from '#test/support/daemon.js'
import { startForgeProcess } from '#test/support/forge/forge-process.js'
import { type BenchDaemon, startBenchDaemon } from './daemon.js'
import { blockRatios, type Figure, figureAtMost, figureWithoutBar } from './figure.js'
import { setConfigKeys, setServerKeys } from './server-keys.js'
import { askToConverge, cloneTwice } from './two-clones.js'
import { openWriter, type WriteTarget, writeTargetsOf } from './writer.js'

const turns = 80

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

/** The times of writes to nodes, which take turns, in ms. */
const writeInTurns = async (
  nodes: ReadonlyArray<PublishingNode>,
  targets: ReadonlyArray<WriteTarget>,
): Promise<ReadonlyArray<ReadonlyArray<number>>> => {
  const seen = nodes.map(({ daemon }) => ({ write: openWriter(daemon, 1), times: new Array<number>() }))
  for (let turn = 0; turn < turns; turn += 1)
    for (const { write, times } of turn % 2 === 0 ? seen : seen.toReversed()) {
      const target = targets[turn % targets.length]
      if (target === undefined) throw new Error('a world without entities')
      const { askedMs, answeredMs } = await write(target, `pomiar publikacji ${turn}`)
      times.push(answeredMs - askedMs)
    }
  return seen.map(({ times }) => times)
}

/** What mode `mr` costs a write: nothing, since a write waits for no remote and no forge. */
export const publishModeFigures = async (folder: string, world: string): Promise<ReadonlyArray<Figure>> => {
  const nodes = [
    await startPublisher(folder, world, 'push'),
    await startPublisher(folder, world, 'mr'),
  ] as const
  try {
    const [pushes = [], requested = []] = await writeInTurns(nodes, await writeTargetsOf(world))
    await eventually(nodes[1].requests, count => count > 0)
    return [
      figureAtMost(
        'a write in mode mr against one in mode push',
        'x',
        1.1,
        blockRatios(requested, pushes, 8),
      ),
      figureWithoutBar('a write in mode mr', 'ms', requested),
    ]
  } finally {
    for (const node of nodes) await node.stop()
  }
}
