import { deepEqual, equal, ok } from 'node:assert/strict'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, it } from 'mocha'
import { exitCodes } from '#protocol/exit-code.js'
import { eventually } from '#test/support/daemon.js'
import { jsonField } from '#test/support/json-field.js'
import { stampWith } from '#test/support/models.js'
import { startNode, type TestNode } from '#test/support/node.js'
import { modelAdd } from '../commands/model-command.js'

const quiet = { out: () => undefined, err: () => undefined, isTerminal: false }

describe('the models of a running host', () => {
  let node: TestNode | null = null
  let folder = ''
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'kronika-artifact-'))
  })
  afterEach(async () => {
    await node?.stop()
    node = null
    rmSync(folder, { recursive: true, force: true })
  })

  it('are brought in beside it, promoted, and told in the audit stream', async () => {
    const at = await startNode()
    node = at
    equal(jsonField((await at.client.ask('/model/state')).json, 'reason'), 'NoModelStore')
    const source = join(folder, 'claims-1')
    mkdirSync(source)
    writeFileSync(join(source, 'model.json'), '{}')
    writeFileSync(join(source, 'stamp.json'), JSON.stringify(stampWith('claims', 0.9)))
    const repo = at.repository.path
    equal(await modelAdd(quiet)({ folder: source, repo, json: false }), exitCodes.ok)
    const evaluated = await eventually(
      () => at.client.ask('/model/evaluation?artifact=claims-1&surface=claims'),
      reply => reply.status === 200,
    )
    equal(jsonField(evaluated.json, 'promotable'), true)
    const body = JSON.stringify({ artifact: 'claims-1', surface: 'claims' })
    const promoted = await at.client.ask('/model/promote', { method: 'POST', body })
    deepEqual([promoted.status, jsonField(promoted.json, 'seq')], [200, 1])
    const state = await at.client.ask('/model/state?surface=claims')
    deepEqual([jsonField(state.json, 'proposer'), jsonField(state.json, 'available')], ['model', true])
    const live: unknown = JSON.parse(readFileSync(join(repo, '.svc/state/models/live.json'), 'utf8'))
    equal(jsonField(live, 'seq'), 1)
    await eventually(
      () => at.client.ask('/logs/audit'),
      reply =>
        reply.text.includes('"action":"model.promote"') && reply.text.includes('"artifact":"claims-1"'),
    )
    equal(at.repository.git('status', '--porcelain'), '')
  })

  it('start no run without a forge, and write nothing for it', async () => {
    const at = await startNode()
    node = at
    const reply = await at.client.ask('/model/runs', { method: 'POST', body: '{"surface": "claims"}' })
    deepEqual([reply.status, jsonField(reply.json, 'error')], [503, 'actuation_unavailable'])
    ok(!existsSync(join(at.repository.path, '.svc/state/models')))
  })
})
