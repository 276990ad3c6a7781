import { deepEqual, equal } from 'node:assert/strict'
import { describe, it } from 'mocha'
import { worldOf } from '#test/support/world.js'
import {
  archiveOf,
  committedStatesOf,
  findLog,
  hashedTranscriptName,
  noArchive,
  transcriptName,
  transcriptNames,
} from './archive.js'

const cites = (header: string, ...logs: ReadonlyArray<string>): string =>
  `### ${header}\n\n- @Logi:\n${logs.map(log => `    - ${log}\n`).join('')}\n`

describe('the name of a transcript', () => {
  it('is the last segment of the address, safe as the name of a file', () => {
    const names = [
      ['https://logi.example/a/2024-05-06-anna', '2024-05-06-anna'],
      ['https://logi.example/raw/zapis.txt?dl=1#l5', 'zapis'],
      ['https://logi.example/%C5%BBar/', 'Żar'],
      ['https://logi.example/..%2F..%2Fetc', 'etc'],
      ['https://logi.example/.ukryty', 'ukryty'],
      ['https://logi.example/a%00b c', 'a-b-c'],
      ['https://logi.example/%E0%A4%A', 'E0-A4-A'],
      ['https://logi.example', 'logi.example'],
      ['', 'log'],
    ] as const
    for (const [address, name] of names) equal(transcriptName(address), name, address)
    equal(transcriptName(`https://logi.example/${'a'.repeat(400)}`).length, 80)
  })

  it('has a hash where an address of an earlier session has it, whatever its case', () => {
    const [first, second] = ['https://a.example/Zapis', 'https://b.example/zapis']
    const world = worldOf({
      'sesje/a.md': cites('2024-02-01, Późniejsza, Anna', second),
      'sesje/b.md': cites('2024-01-01, Wcześniejsza, Anna', first, first),
    })
    deepEqual(
      [...transcriptNames(world.sessions)],
      [
        [first, 'Zapis'],
        [second, hashedTranscriptName(second)],
      ],
    )
  })
})

describe('the archive', () => {
  const files = {
    'sesje/a.md': cites('2024-01-01, Jeden, Anna', 'https://a.example/jest', 'https://a.example/brak'),
    'logi/jest.txt': 'Anna: tak\n',
    'logi/jest.json': '{}',
    'logi/bez-tekstu.json': '{}',
    'logi/pod/inny.txt': 'x',
    'logi/README.md': '### 2024-01-01, Żadna, Anna\n',
  }
  const world = worldOf(files)

  it('has the texts of its folder with their sidecars, and no session', () => {
    deepEqual([...world.archive.keys()], ['jest'])
    equal(findLog(world, 'https://a.example/jest')?.sidecar?.path, 'logi/jest.json')
    equal(world.sessions.all.length, 1)
    deepEqual(
      committedStatesOf(world)(['https://a.example/jest', 'https://a.example/brak']).map(
        ({ State }) => State,
      ),
      ['Archived', 'Missing'],
    )
  })

  it('is the same object where nothing of it changed, and keeps the objects of unchanged transcripts', () => {
    const entries = [...world.archive.values()].flatMap(({ text, sidecar }) => [
      text,
      ...(sidecar ? [sidecar] : []),
    ])
    equal(archiveOf(entries, 'logi/', world.archive), world.archive)
    const more = archiveOf(
      [...entries, { ...entries[0], path: 'logi/nowy.txt' } as (typeof entries)[0]],
      'logi/',
      world.archive,
    )
    equal(more.get('jest'), world.archive.get('jest'))
    deepEqual([...more.keys()], ['jest', 'nowy'])
    deepEqual(archiveOf([], 'logi/', noArchive), noArchive)
  })
})
