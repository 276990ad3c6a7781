import { deepEqual, equal, ok, throws } from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'mocha'
import { decodeRecording, encodeRecording, eventLineOf, findFirstDifference } from './recording.js'
import { runRecorded } from './run-recorded.js'

const folder = mkdtempSync(join(tmpdir(), 'kronika-recording-'))
after(() => rmSync(folder, { recursive: true, force: true }))

describe('a recorded run', () => {
  it('is read as it was written, with an event of several lines as one', () => {
    const events = ['0 Avlee.1 starts', eventLineOf('5 a \\n\nb\r')]
    const recording = { world: 'fleet', seed: 7, events }
    deepEqual(decodeRecording(encodeRecording(recording)), recording)
    deepEqual(decodeRecording(encodeRecording({ ...recording, events: [] })).events, [])
  })

  it('needs a header of this format', () => {
    for (const header of ['', '{"seed":7}', '{"format":2,"world":"fleet","seed":7}'])
      throws(() => decodeRecording(`${header}\n0 Avlee.1 starts\n`), /the first line of a trace/u)
  })

  it('differs at the first event that is another one, or is missing', () => {
    equal(findFirstDifference(['a', 'b'], ['a', 'b']), null)
    deepEqual(findFirstDifference(['a', 'b'], ['a', 'c']), { at: 2, recorded: 'b', replayed: 'c' })
    deepEqual(findFirstDifference(['a'], ['a', 'c']), { at: 2, recorded: null, replayed: 'c' })
    deepEqual(findFirstDifference(['a', 'b'], ['a']), { at: 2, recorded: 'b', replayed: null })
  })

  it('is replayed from its file, and a replay shows where the file says something else', async () => {
    const trace = join(folder, 'trace')
    const said: Array<string> = []
    const run = (seed: number | null): Promise<boolean> =>
      runRecorded({ only: 'gate', seed, trace, picture: undefined }, text => void said.push(text))
    equal(await run(3), true)
    equal(await run(null), true)
    ok(said.at(-1)?.startsWith('seed 3 of gate: '))
    const lines = readFileSync(trace, 'utf8').split('\n')
    writeFileSync(trace, lines.map((line, at) => (at === 200 ? `${line} otherwise` : line)).join('\n'))
    equal(await run(null), false)
    ok(said.at(-1)?.includes('event 200 is the first that differs'))
  })
})
