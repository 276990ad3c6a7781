import { deepEqual, equal } from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, it } from 'mocha'
import { eventually } from '#test/support/daemon.js'
import { forgeName, type Network } from './network.js'
import { openProxyNetwork } from './proxy-network.js'

/** Fetches each URL that it reads, and prints the body, or that there was none. */
const caller = `
require('node:readline').createInterface({ input: process.stdin }).on('line', url =>
  require('node:http').get(url, { agent: false }, res => res.on('data', part => console.log(String(part))))
    .on('error', () => console.log('none')))`

describe('the links of a world', () => {
  let network: Network
  let callers: Readonly<Record<string, ChildProcess>>
  const server = createServer((_req, res) => res.end('an answer'))

  const ask = async (town: string, url: string): Promise<string> => {
    const child = callers[town]
    const said = once(child?.stdout ?? process.stdin, 'data')
    child?.stdin?.write(`${url}\n`)
    return String((await said)[0]).trim()
  }

  const holdsOne = () =>
    eventually(
      () => Promise.resolve(network.stalled()),
      count => count === 1,
    )

  beforeEach(async () => {
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    network = await openProxyNetwork(['Avlee', 'Deyja'])
    network.attach(forgeName, { pid: process.pid, port })
    callers = Object.fromEntries(
      ['Avlee', 'Deyja'].map(town => [town, spawn(process.execPath, ['-e', caller])]),
    )
    for (const [town, { pid }] of Object.entries(callers)) network.attach(town, { pid: pid ?? 0, port })
  })
  afterEach(async () => {
    for (const child of Object.values(callers)) child.kill('SIGKILL')
    await network.close()
    await new Promise(resolve => server.close(resolve))
  })

  it('are cut for one pair of places, and carry again when they are restored', async () => {
    const url = network.forgeUrl('/')
    deepEqual([await ask('Avlee', url), await ask('Deyja', url)], ['an answer', 'an answer'])
    network.cut('Deyja', forgeName)
    const stalled = ask('Deyja', url)
    await holdsOne()
    equal(await ask('Avlee', url), 'an answer')
    equal(await ask('Avlee', network.townUrl('Deyja')), 'an answer')
    network.restore(forgeName, 'Deyja')
    equal(await stalled, 'none')
    equal(await ask('Deyja', url), 'an answer')
  })

  it('carry the git of a town as long as the link of the town to the forge', async () => {
    const url = network.remoteUrl('Deyja', '/lore.git')
    equal(await ask('Avlee', url), 'an answer')
    network.cut('Deyja', forgeName)
    const stalled = ask('Avlee', url)
    await holdsOne()
    network.restore('Deyja', forgeName)
    equal(await stalled, 'none')
  })

  it('end the connection of a stranger, and one to a town that does not run', async () => {
    network.attach('Deyja', null)
    equal(await ask('Avlee', network.townUrl('Deyja')), 'none')
    equal(await ask('Deyja', network.forgeUrl('/')), 'none')
  })
})
