import { deepEqual } from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import { isLeft } from 'fp-ts/lib/Either.js'
import { afterEach, beforeEach, describe, it } from 'mocha'
import { CommitId } from '#protocol/atoms.js'
import { lastStateArea } from '#src/adapters/state/state-record.js'
import { writeLintRecord } from '#src/adapters/sync/records.js'
import { fleetText } from '#test/support/fleet/topologies.js'
import { type Repository, repositoryOf } from '#test/support/repository.js'
import { findFleetFindings } from './doctor-command.js'

const path = '.svc/fleet.json'

describe('what doctor finds in the file of the fleet', () => {
  let repository: Repository
  beforeEach(() => {
    repository = repositoryOf({ '.svc/format.json': '{"format": 2}\n', [path]: fleetText('Avlee', 1) })
  })
  afterEach(() => repository.dispose())

  const find = async (): Promise<ReadonlyArray<string>> => {
    const head = CommitId.decode(repository.head())
    if (isLeft(head)) throw new Error('no HEAD')
    const findings = await findFleetFindings(repository.path, head.right)
    return findings.map(({ kind, severity, file }) => `${kind} ${severity} ${file}`)
  }

  it('is nothing while the committed file can be read', async () => deepEqual(await find(), []))

  it('is a file that no host can read, where it is committed or where it was fetched', async () => {
    const broken = repository.commit({ [path]: '{"apex": ' })
    deepEqual(await find(), [`FleetUnreadable error ${path}`])
    repository.git('remote', 'add', 'origin', 'https://lore.example/lore.git')
    repository.git('update-ref', 'refs/svc/fetched', broken)
    repository.commit({ [path]: fleetText('Avlee', 2) })
    deepEqual(await find(), [`FleetUnreadable error ${path}`])
  })

  it('is what the last converge of the host recorded of its town and its terms', async () => {
    const finding = (kind: string) => ({
      kind,
      severity: 'warning' as const,
      entity: 'Deyja',
      reason: 'Powód.',
    })
    const state = lastStateArea(repository.path)
    mkdirSync(state, { recursive: true })
    writeLintRecord(state, {
      at: null,
      stats: { errors: 0, warnings: 3, total: 3 },
      findings: ['TermNotRaised', 'FleetUnreadable', 'wiszący-ref'].map(finding),
      fresh: true,
    })
    deepEqual(await find(), [`TermNotRaised warning ${path}`])
  })
})
