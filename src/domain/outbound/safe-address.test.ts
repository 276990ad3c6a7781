import { equal } from 'node:assert/strict'
import { describe, it } from 'mocha'
import { safeAddress, safeBase } from './outbound.js'

describe('the base of an interface', () => {
  const rows: ReadonlyArray<readonly [url: string, base: string | null]> = [
    ['https://chat.example/api/v10', 'https://chat.example/api/v10'],
    ['https://chat.example/api/v10//', 'https://chat.example/api/v10'],
    ['https://chat.example', 'https://chat.example'],
    ['http://127.0.0.1:8080/api', 'http://127.0.0.1:8080/api'],
    ['http://localhost/', 'http://localhost'],
    ['', null],
    ['chat.example', null],
    ['http://chat.example/api', null],
    ['http://127.0.0.1.chat.example/', null],
    ['ftp://chat.example', null],
    ['file:///etc/passwd', null],
    ['https://bot:secret@chat.example', null],
    ['https://chat.example/?a=b', null],
    ['https://chat.example/#a', null],
  ]
  for (const [url, base] of rows)
    it(`is an https address, or one of this machine: ${url === '' ? 'empty' : url}`, () =>
      equal(safeBase(url), base))
})

describe('an address that is safe', () => {
  const rows: ReadonlyArray<readonly [url: string, isSafe: boolean]> = [
    ['https://10.0.0.1/v1/api', true],
    ['http://[::1]:8080/v1/api', true],
    ['http://127.9.9.9/', true],
    ['http://0x7f.1/', true],
    ['http://10.0.0.1/v1/api', false],
    ['http://0.0.0.0/', false],
    ['http://[::ffff:127.0.0.1]/', false],
    ['http://localhost./', false],
    ['http://127.0.0.1@forge.example/', false],
    ['//127.0.0.1/', false],
  ]
  for (const [url, isSafe] of rows)
    it(`goes over TLS or stays on this machine: ${url}`, () => equal(safeAddress(url) !== null, isSafe))
})
