import { deepEqual } from 'node:assert/strict'
import { left, right } from 'fp-ts/lib/Either.js'
import { describe, it } from 'mocha'
import { refuse } from '#protocol/refusal.js'
import type { EvidenceLine } from '#src/domain/lineage/lineage.js'
import type { Command } from '#src/writing/command.js'
import { day, worldOf } from '#test/support/world.js'
import { type AutopilotPorts, aliasAutopilot, lineageAutopilot } from './autopilots.js'

const world = worldOf({
  'encje/indeks.md': '### Orrin\n- @typ: NPC\n\n### Stara Maela\n- @typ: NPC\n\n### Gwardia\n- @typ: Grupa\n',
})
const line = (at: 1 | 2): EvidenceLine => ({
  sessions: [{ header: `2024-0${at}-01, Próba, Solmyr`, date: day(`2024-0${at}-01`) }],
  log: `log-${at}`,
  line: at,
  text: 'Oto Orrin z Gwardii.',
  speaker: null,
})
const names = { surface: 'Starej Maeli', sessions: new Set(['a', 'b']), logs: new Set(['c', 'd']) }

/** Runs one tick of an autopilot and returns what it did, in order. */
const tickOf = async (
  autopilot: typeof lineageAutopilot,
  change: Partial<AutopilotPorts> = {},
  whyNoPush: () => string | null = () => null,
): Promise<ReadonlyArray<string>> => {
  const done: Array<string> = []
  const tell = (command: Command): void => void done.push(describeCommand(command))
  const ports: AutopilotPorts = {
    snapshot: () => world,
    mayWrite: () => true,
    sampleFiles: () => [],
    evidence: () =>
      Promise.resolve({
        names: world.names,
        lines: [line(1), line(2)],
        origins: new Map(),
        spoken: [names],
        speakerNamed: () => null,
      }),
    removed: () => Promise.resolve(() => false),
    write: command => {
      tell(command)
      return Promise.resolve(right({ status: null, body: {}, commit: null }))
    },
    publishDeposits: () => {
      done.push('published')
      return Promise.resolve(null)
    },
    breathe: () => Promise.resolve(),
    log: {
      info: (event, { reason }) => void done.push(typeof reason === 'string' ? `${event} ${reason}` : event),
      warn: (event, { reason }) => void done.push(typeof reason === 'string' ? `${event} ${reason}` : event),
    },
    ...change,
  }
  const runner = autopilot({ intervalMs: 1, linesMax: 10 }, () => ports)
  await runner.run({ whyNoPush }, new AbortController().signal)
  return done
}

const describeCommand = ({ route, prepared }: Command): string => {
  const shown = JSON.stringify(prepared)
  const what = /"_tag":"(TreeWrite|MachineLines)"/u.exec(shown)?.[1] ?? '?'
  const value = /"value":"([^"]*)"/u.exec(shown)?.[1] ?? ''
  return `${route} ${what}${what === 'MachineLines' ? ` ${value}` : ''}`
}

describe('the lineage autopilot', () => {
  it('deposits, publishes, and only then writes the lines', async () => {
    deepEqual(await tickOf(lineageAutopilot), [
      'autopilot:lineage TreeWrite',
      'published',
      'autopilot:lineage MachineLines Gwardia',
      'lineage_autopilot_wrote',
    ])
  })

  it('writes no line where the deposits are refused or do not reach the remote', async () => {
    const refused = () => Promise.resolve(left(refuse('Overloaded', 'busy')))
    deepEqual(await tickOf(lineageAutopilot, { write: refused }), ['lineage_autopilot_lost Overloaded'])
    deepEqual(await tickOf(lineageAutopilot, { publishDeposits: () => Promise.resolve('unreachable') }), [
      'autopilot:lineage TreeWrite',
      'lineage_autopilot_lost unreachable',
    ])
  })

  it('does nothing without a store that it can write, and says why', async () => {
    deepEqual(await tickOf(lineageAutopilot, { sampleFiles: () => null }), ['workload_idle no_sample_store'])
  })

  it('does nothing without evidence, where the gate is closed, or before the first snapshot', async () => {
    for (const change of [
      { evidence: () => Promise.resolve(null) },
      { mayWrite: () => false },
      { snapshot: () => null },
    ])
      deepEqual(await tickOf(lineageAutopilot, change), [])
  })

  it('writes nothing more once the duty has ended', async () => {
    deepEqual(await tickOf(lineageAutopilot, {}, () => 'not_apex'), ['lineage_autopilot_lost not_apex'])
    let asked = 0
    const afterDeposit = () => {
      asked += 1
      return asked > 1 ? 'not_apex' : null
    }
    deepEqual(await tickOf(lineageAutopilot, {}, afterDeposit), [
      'autopilot:lineage TreeWrite',
      'published',
      'lineage_autopilot_lost not_apex',
    ])
  })
})

describe('the alias autopilot', () => {
  it('writes the names that grammar gives to one block', async () => {
    deepEqual(await tickOf(aliasAutopilot), [
      'autopilot:alias MachineLines Starej Maeli',
      'alias_autopilot_wrote',
    ])
  })
  it('writes none that a person removed', async () => {
    deepEqual(await tickOf(aliasAutopilot, { removed: () => Promise.resolve(() => true) }), [])
  })
})
