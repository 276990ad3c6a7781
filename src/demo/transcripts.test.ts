import { deepEqual, equal, ok } from 'node:assert/strict'
import { isRight } from 'fp-ts/lib/Either.js'
import { describe, it } from 'mocha'
import { nameKey } from '#protocol/atoms.js'
import { findLog, transcriptNames } from '#src/domain/transcripts/archive.js'
import { speakerResolver } from '#src/domain/transcripts/names-in-lines.js'
import { decodeTranscript } from '#src/domain/transcripts/sidecar.js'
import { placeOfHeading } from '#src/domain/transcripts/spoken.js'
import { worldOf } from '#test/support/world.js'
import { archivedMax } from './transcripts.js'
import { demoWorld } from './world.js'

describe('the transcripts of the demo', () => {
  const world = demoWorld({ seed: 'zapisy' })
  const files = Object.fromEntries(
    world.commits.flatMap(({ changes }) => changes.map(({ path, text }) => [path, text])),
  )
  const snapshot = worldOf(files)
  const sidecars = world.transcripts.map(transcript => {
    const read = decodeTranscript(files[`logi/${transcript.name}.json`] ?? '')
    if (!isRight(read)) throw new Error(`${transcript.name} has no sidecar`)
    return { transcript, read: read.right }
  })

  it('are archived under the names that their addresses have', () => {
    equal(world.transcripts.length, archivedMax)
    const names = transcriptNames(snapshot.sessions)
    deepEqual(
      world.transcripts.filter(({ name, address }) => names.get(address) !== name),
      [],
    )
    deepEqual(
      world.transcripts.filter(({ address }) => findLog(snapshot, address) === null),
      [],
    )
  })

  it('are read as meant in at least 99 of 100 speakers and places', () => {
    const resolve = speakerResolver(snapshot.names)
    let counted = 0
    const misses: Array<string> = []
    for (const { transcript, read } of sidecars) {
      equal(read.lines.length, transcript.lines.length)
      for (const [at, { speaker, place, channel }] of transcript.lines.entries()) {
        const line = read.lines[at]
        const spoken = line?.speaker ?? null
        const heading = read.segments[line?.segment ?? -1]?.place ?? null
        const foundSpeaker = spoken === null ? null : (resolve(spoken).entity?.name ?? 'nobody')
        const foundPlace = heading === null ? null : (placeOfHeading(snapshot, heading)?.name ?? 'nowhere')
        const pairs = [
          ['speaker', speaker, foundSpeaker],
          ['place', place, foundPlace],
        ] as const
        equal(line?.channel ?? null, channel)
        for (const [what, meant, found] of pairs) {
          counted += 1
          if (nameKey(found ?? '') !== nameKey(meant ?? ''))
            misses.push(`${transcript.name}:${at + 1} ${what}: ${meant} is read as ${found}`)
        }
      }
    }
    process.stdout.write(`      ${counted} speakers and places, ${misses.length} misses\n`)
    for (const miss of misses) process.stdout.write(`      ${miss}\n`)
    ok(misses.length * 100 <= counted, misses.slice(0, 10).join('\n'))
  })
})
