import { deepEqual, equal, match, ok } from 'node:assert/strict'
import type { Interaction } from '#test/support/chat/worker-double.js'
import { jsonField } from '#test/support/json-field.js'
import { closeOf, effectsIn, ledger } from './close-and-report.js'
import { dispatchCase } from './dispatch-world.js'
import { awaitAnswers, readCounts } from './steps.js'

const staleMs = 60_000

export const ciFirst = dispatchCase({
  name: 'ci-first',
  about: 'the pipeline of CI enacts what the host refuses, and the host does not enact it too',
  play: async world => {
    const { story, worker, host, person, bare } = world
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
    await forward(closeOf('900100200300400802', Date.now() - staleMs), 410, 'dispatch_stale')
    await host.ask('/admin/mode', { method: 'POST', body: '{"mode":"read-only"}' })
    story.tell('Erathia', 'is read-only')
    const gated = closeOf('900100200300400803')
    await forward(gated, 503, 'daemon_write_gated')
    person.publish({ 'sesje/notatka.md': 'Pipeline.\n' }, `close\n\nSvc-Interaction: ${gated.id}`)
    story.tell('CI', `pushes the effect of ${gated.id}`)
    await host.ask('/admin/mode', { method: 'POST', body: '{"mode":"read-write"}' })
    story.tell('Erathia', 'takes writes again')
    await story.claim('the pipeline enacted each once, and the host none', async () => {
      equal(worker.pipeline.size, 2)
      const none = { accepted: 0, enacted: 0, failed: 0, refused: 0 }
      deepEqual(await readCounts(host, 'close'), none)
    })
    await story.claim(
      'a host that accepts it all the same finds the key on the branch, and says so',
      async () => {
        equal((await worker.post({ ...gated, sentAtEpochMs: Date.now() }))?.status, 202)
        const [text] = await awaitAnswers(world, gated, 1)
        match(text ?? '', /jest już zapisane/)
        deepEqual(effectsIn(bare, ledger), [])
        deepEqual(await readCounts(host, 'close'), { accepted: 1, enacted: 1, failed: 0, refused: 0 })
      },
    )
  },
})
