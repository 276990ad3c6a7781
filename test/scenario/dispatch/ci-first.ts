import { deepEqual, equal, ok } from 'node:assert/strict'
import type { Interaction } from '#test/support/chat/worker-double.js'
import { jsonField } from '#test/support/json-field.js'
import { player } from './chat-settings.js'
import { dispatchCase } from './dispatch-world.js'
import { readCounts } from './steps.js'

const closeOf = (id: string, sentAtEpochMs = Date.now()): Interaction => ({
  id,
  kind: 'close',
  sentAtEpochMs,
  vars: { SVC_CLOSE_CHAT_ID: player },
})

const staleMs = 60_000

export const ciFirst = dispatchCase({
  name: 'ci-first',
  about: 'the pipeline of CI enacts what the host refuses, and the host does not enact it too',
  notShown:
    'a host that finds the key of the pipeline on the fetched branch; this build has no enactor of closes and reports',
  play: async world => {
    const { story, worker, host } = world
    const close = closeOf('900100200300400801')
    const forward = (interaction: Interaction, status: number, error: string): Promise<void> =>
      story.claim(
        `${interaction.id} is refused with ${status} ${error}, and the pipeline enacts it`,
        async () => {
          const answer = await worker.post(interaction)
          deepEqual([answer?.status, jsonField(answer?.body, 'error')], [status, error])
          equal(await worker.forward(interaction), 'pipeline')
          ok(worker.pipeline.has(interaction.id))
        },
      )
    await forward(close, 422, 'not_dispatchable')
    await forward(closeOf('900100200300400802', Date.now() - staleMs), 410, 'dispatch_stale')
    await host.ask('/admin/mode', { method: 'POST', body: '{"mode":"read-only"}' })
    story.tell('Erathia', 'is read-only')
    await forward(closeOf('900100200300400803'), 503, 'daemon_write_gated')
    await host.ask('/admin/mode', { method: 'POST', body: '{"mode":"read-write"}' })
    story.tell('Erathia', 'takes writes again')
    await story.claim('a replay of the first is refused as before, behind the window as stale', async () => {
      const answers = [await worker.post(close), await worker.post({ ...close, sentAtEpochMs: 0 })]
      deepEqual(
        answers.map(answer => answer?.status),
        [422, 410],
      )
    })
    await story.claim('the pipeline enacted each once, and the host none', async () => {
      equal(worker.pipeline.size, 3)
      const none = { accepted: 0, enacted: 0, failed: 0, refused: 0 }
      deepEqual(await readCounts(host, 'close'), none)
    })
  },
})
