import { deepEqual, equal, ok } from 'node:assert/strict'
import { describe, it } from 'mocha'
import { takeShare } from '#test/support/runs.js'
import { sources } from '#test/tidy/sources.js'
import { groupParts, parts, partsOfTenth, tenthOf, tenths } from './long-parts.js'
import { early, longest, orderFiles, smoke, type Tier, tiersOf } from './tiers.js'

const source = (path: string, ...lines: ReadonlyArray<string>) => ({ path, text: lines.join('\n') })

const smokeFiles = Object.values(smoke).flat()
const smokeFilesMax = 40

describe('the tiers of test files', () => {
  const tiers = tiersOf(sources)

  it('follow from the name and from what a file starts, however far away', () => {
    const made = tiersOf(
      [
        source('src/git.ts', "import { spawn } from 'node:child_process'"),
        source('src/host.ts', "import { git } from './git.js'", "import type { Pure } from './pure.js'"),
        source('src/pure.ts', 'export type Pure = 1'),
        source('src/git.test.ts', "import { host } from '#src/host.js'"),
        source('src/thread.test.ts', 'import {', '  Worker,', "} from 'node:worker_threads'"),
        source('src/pure.test.ts', "import type { Host } from '#src/host.js'"),
        source('test/guides/bot.long.ts', "import { host } from '#src/host.js'"),
      ],
      new Set(['src/git.test.ts']),
    )
    deepEqual(Object.fromEntries(made), {
      'src/git.test.ts': 'smoke',
      'src/thread.test.ts': 'rest',
      'src/pure.test.ts': 'pure',
      'test/guides/bot.long.ts': 'long',
    } satisfies Record<string, Tier>)
  })

  it('have a few files for each mechanism, each of which starts it', () => {
    deepEqual(
      smokeFiles.filter(path => tiers.get(path) !== 'smoke'),
      [],
      'a file that is gone, or that starts nothing and runs anyway',
    )
    equal(new Set(smokeFiles).size, smokeFiles.length)
    ok(smokeFiles.length <= smokeFilesMax, `${smokeFiles.length} files: a new one replaces another`)
    deepEqual(
      Object.keys(smoke).filter(mechanism => smoke[mechanism]?.length === 0),
      [],
    )
  })
})

describe('the order of test files', () => {
  it('begins with what starts git and loads little, long ones first, and ends with what starts nothing', () => {
    const [long = '', longToo = ''] = longest
    const starting = ['test/process/a.test.ts', 'src/a.test.ts', longToo, long]
    deepEqual(
      orderFiles(
        new Map<string, Tier>([
          ['protocol/b.test.ts', 'pure'],
          ...starting.map((path): [string, Tier] => [path, 'rest']),
          ...early.map((path): [string, Tier] => [path, 'smoke']),
          ['test/c.test.ts', 'pure'],
        ]),
      ),
      [
        ...early,
        long,
        longToo,
        'src/a.test.ts',
        'test/process/a.test.ts',
        'protocol/b.test.ts',
        'test/c.test.ts',
      ],
    )
  })

  it('knows no long file that is gone', () => {
    const known = new Set(sources.map(({ path }) => path))
    deepEqual(
      [...early, ...longest].filter(path => !known.has(path)),
      [],
    )
  })
})

describe('the tenths of the long tier', () => {
  const all = Array.from({ length: tenths }, (_, tenth) => partsOfTenth(parts, tenth))

  it('together run every long file and every file of the machine, each once', () => {
    const files = sources.map(({ path }) => path).filter(path => /\.(?:long|machine)\.ts$/.test(path))
    const run = all.flat().flatMap(({ part }) => (part.isShared ? [] : [part.name]))
    deepEqual(
      run.toSorted(),
      [
        ...files,
        ...parts.filter(one => !one.isShared && !files.includes(one.name)).map(({ name }) => name),
      ].toSorted(),
    )
  })

  it('together run the whole of what is shared', () => {
    for (const part of parts.filter(({ isShared }) => isShared))
      deepEqual(
        all.map(chosen => chosen.find(one => one.part === part)?.share),
        Array.from({ length: tenths }, (_, tenth) => tenth),
      )
    const items = Array.from({ length: 23 }, (_, at) => at)
    deepEqual(
      items
        .flatMap((_, nth) => (nth < tenths ? takeShare(items, `${nth}/${tenths}`) : []))
        .toSorted((a, b) => a - b),
      items,
    )
  })

  it('take about the same time', () => {
    const seconds = groupParts(parts).map(group => group.reduce((sum, part) => sum + part.seconds, 0))
    const single = parts.filter(({ isShared }) => !isShared)
    const longestPart = Math.max(...single.map(part => part.seconds))
    ok(Math.max(...seconds) <= Math.min(...seconds) + longestPart, seconds.join(', '))
  })

  it('are chosen by the commit', () => {
    deepEqual(['0000000a', '0000000bcd', 'fd764455c0'].map(tenthOf), [
      0,
      1,
      Number.parseInt('fd764455', 16) % 10,
    ])
  })
})
