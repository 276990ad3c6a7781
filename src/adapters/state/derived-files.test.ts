import { deepEqual, equal, rejects } from 'node:assert/strict'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, it } from 'mocha'
import { artifactBytesMax } from '#src/domain/fleet/derived.js'
import { archiveStamp, mentionsOf } from '#test/support/fleet/artifacts.js'
import { temporaryFolder } from '#test/support/repository.js'
import { keepArtifact, readArtifacts } from './derived-files.js'

const mentions = mentionsOf(archiveStamp)

describe('the derived artifacts in the state area', () => {
  let folder: ReturnType<typeof temporaryFolder>
  let file: string
  beforeEach(() => {
    folder = temporaryFolder()
    file = join(folder.path, 'derived', 'mentions')
  })
  afterEach(() => folder.dispose())

  it('are what was kept last, for the owner alone, with no draft beside them', async () => {
    deepEqual(readArtifacts(folder.path), { artifacts: new Map(), damaged: [] })
    await keepArtifact(folder.path, mentionsOf('b'.repeat(40), Buffer.from('{"lines":{}}')))
    writeFileSync(`${file}.new`, 'of a crash')
    await keepArtifact(folder.path, mentions)
    deepEqual(readArtifacts(folder.path), { artifacts: new Map([['mentions', mentions]]), damaged: [] })
    equal(statSync(file).mode & 0o777, 0o600)
    deepEqual(readdirSync(join(folder.path, 'derived')), ['mentions'])
  })

  it('count as absent where they are damaged, with the reason', async () => {
    await keepArtifact(folder.path, mentions)
    const good = readFileSync(file)
    const flipped = Buffer.from(good)
    flipped[good.length - 1] = 0x20
    for (const bad of [
      Buffer.alloc(0),
      Buffer.from('no line'),
      Buffer.from('{}\n{}'),
      good.subarray(0, -1),
      flipped,
    ]) {
      writeFileSync(file, bad)
      const { artifacts, damaged } = readArtifacts(folder.path)
      equal(artifacts.size, 0)
      deepEqual(
        damaged.map(({ kind }) => kind),
        ['mentions'],
      )
    }
    truncateSync(file, artifactBytesMax + 2_000)
    equal(readArtifacts(folder.path).damaged[0]?.reason, `it has more than ${artifactBytesMax} bytes`)
  })

  it('report a folder in place of a file, and refuse to be kept there', async () => {
    mkdirSync(file, { recursive: true })
    equal(readArtifacts(folder.path).damaged.length, 1)
    await rejects(keepArtifact(folder.path, mentions))
    equal(existsSync(file), true)
  })
})
