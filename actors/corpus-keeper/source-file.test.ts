import { deepEqual } from 'node:assert/strict'
import { sourceFile } from '#test/support/world.js'
import { decodeFile } from './read-entries.js'

const { path, blob } = sourceFile('encje/indeks.md', '')

describe('the text of a committed file', () => {
  const decoded = (bytes: Buffer) => decodeFile({ path, blob, bytes: bytes.length }, bytes)

  it('is without its BOM, which is remembered for whoever moves the file', () => {
    const bytes = Buffer.from('\u{feff}### Orrin\n')
    deepEqual(decoded(bytes), { path, blob, text: '### Orrin\n', undecodable: false, bom: true })
  })

  it('is as it stands where it has none, a mark further on too', () => {
    const text = '### Or\u{feff}rin\n'
    deepEqual(decoded(Buffer.from(text)), { path, blob, text, undecodable: false })
  })

  it('tells of bytes that are no UTF-8', () => {
    deepEqual(decoded(Buffer.from([0x61, 0xff])), { path, blob, text: 'a\u{fffd}', undecodable: true })
  })
})
