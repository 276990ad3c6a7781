import { deepEqual, equal } from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { isLeft } from 'fp-ts/lib/Either.js'
import { afterEach, beforeEach, describe, it } from 'mocha'
import { CommitId } from '#protocol/atoms.js'
import { derivedStampHeader } from '#protocol/fleet/derived.js'
import { readArtifacts } from '#src/adapters/state/derived-files.js'
import { listDerived } from '#src/domain/fleet/derived.js'
import { type FleetState, firstFleetState } from '#src/domain/fleet/fleet-state.js'
import { archiveStamp, mentionsOf } from '#test/support/fleet/artifacts.js'
import { observedPeers } from '#test/support/fleet/peers.js'
import { topologyOf } from '#test/support/fleet/topologies.js'
import { temporaryFolder } from '#test/support/repository.js'
import { type DerivedSources, nodeDerived } from './derived.js'

type Answer = (response: ServerResponse, request: IncomingMessage) => void

const mentions = mentionsOf(archiveStamp)
const listText = (change: object = {}): string => {
  const { kind, stamp, sha256, bytes } = mentions
  return JSON.stringify({ items: [{ kind, status: 'fresh', stamp, sha256, bytes: bytes.length, ...change }] })
}
const sendList =
  (text = listText()): Answer =>
  response =>
    void response.end(text)
/** In two statements: the front's listener patches `writeHead`, which then returns nothing. */
const sendStatus =
  (status: number, headers: Readonly<Record<string, string>> = {}, body: Buffer | string = '{}'): Answer =>
  response => {
    response.writeHead(status, headers)
    response.end(body)
  }
const sendBytes = (bytes: Buffer = mentions.bytes, headers: Readonly<Record<string, string>> = {}): Answer =>
  sendStatus(200, { [derivedStampHeader]: archiveStamp, ...headers }, bytes)

const commit = CommitId.decode('c'.repeat(40))
const nothing = (): void => undefined

/** Writes as fast as the other side reads, and never ends. */
const pour: Answer = response => {
  response.writeHead(200, { [derivedStampHeader]: archiveStamp })
  const part = Buffer.alloc(65_536, 'a')
  const write = (): void => {
    while (!response.destroyed && response.write(part));
  }
  response.on('drain', write)
  write()
}

/** Announces more bytes than it sends. */
const cutOff: Answer = response => {
  response.writeHead(200, { [derivedStampHeader]: archiveStamp, 'content-length': '24' })
  response.write('{', () => response.destroy())
}

describe('the derived artifacts of a host', () => {
  let folder: ReturnType<typeof temporaryFolder>
  let server: Server
  let base: string
  let answers: { list: Answer; artifact: Answer }
  let asked: Array<string>
  let heard: Array<string>
  beforeEach(async () => {
    folder = temporaryFolder()
    answers = { list: sendList(), artifact: sendBytes() }
    ;[asked, heard] = [[], []]
    server = createServer((request, response) => {
      asked.push(`${request.url ?? ''} ${request.headers.authorization ?? 'without'}`)
      response.on('error', nothing)
      const isList = request.url === '/v1/api/derived'
      const answer = isList ? answers.list : answers.artifact
      answer(response, request)
    })
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    const address = server.address()
    base = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}/v1/api`
  })
  afterEach(() => {
    server.closeAllConnections()
    server.close()
    folder.dispose()
  })

  const records = observedPeers.records()
  const [deyja] = [...records.values()]
  const seen = (isReachable: boolean) =>
    new Map(deyja === undefined ? [] : [['Deyja', { ...deyja, town: 'Deyja', isReachable }]])

  const open = (changes: Partial<DerivedSources> = {}, state: Partial<FleetState> = {}) => {
    if (isLeft(commit)) throw new Error('no commit')
    const at = commit.right
    const topology = topologyOf('Deyja', [{ name: 'Deyja', url: base }, { name: 'Avlee' }])
    return nodeDerived({
      state: folder.path,
      commit: () => at,
      readStamp: () => Promise.resolve(archiveStamp),
      fleet: { state: () => ({ ...firstFleetState('Avlee', null), role: 'replica', topology, ...state }) },
      peers: { records: () => seen(true) },
      mintPeer: () => Promise.resolve('fsess_of.the.tests'),
      meter: { count: (name, labels) => void heard.push(`${name} ${Object.values(labels).join()}`) },
      log: {
        info: event => void heard.push(event),
        warn: (event, fields) => void heard.push(`${event} ${Object.values(fields ?? {}).at(-1)}`),
      },
      nowMs: () => 0,
      ...changes,
    })
  }
  const copyOnce = async ({ ports }: ReturnType<typeof open>): Promise<number | null> =>
    (await ports.stamp()) ? ports.copy(new AbortController().signal) : null
  const statusOf = ({ view }: ReturnType<typeof open>) =>
    listDerived(view.artifacts(), view.archive())[0]?.status

  it('are copied from a town that has a fresh one, and are there after a restart', async () => {
    const host = open()
    equal(statusOf(host), 'absent')
    equal(await copyOnce(host), 1)
    deepEqual(asked, [
      '/v1/api/derived Bearer fsess_of.the.tests',
      '/v1/api/derived/mentions Bearer fsess_of.the.tests',
    ])
    equal(statusOf(host), 'fresh')
    deepEqual(host.view.artifacts().get('mentions'), mentions)
    equal(heard.at(-1), 'derived_copied')
    equal(await copyOnce(host), null, 'nothing is left to copy')
    const again = open({ mintPeer: () => Promise.reject(new Error('no copy is due')) })
    equal(statusOf(again), 'stale', 'before the stamp of the archive is read')
    equal(await copyOnce(again), null)
    equal(statusOf(again), 'fresh')
  })

  it('are stale once the archive changes, and stay until a copy replaces them', async () => {
    await copyOnce(open())
    const changed = open({ readStamp: () => Promise.resolve('b'.repeat(40)) })
    equal(await copyOnce(changed), 1)
    equal(statusOf(changed), 'stale')
    deepEqual(readArtifacts(folder.path).artifacts.get('mentions'), mentions)
  })

  it('are reported and absent where their file is damaged', async () => {
    await copyOnce(open())
    writeFileSync(join(folder.path, 'derived', 'mentions'), '{"stamp":"x","sha256":"y"}\n{}')
    equal(statusOf(open()), 'absent')
    equal(heard.at(-1), 'derived_damaged its bytes are not those of its sha256')
  })

  it('are not copied without a token, and the log says so once', async () => {
    const host = open({ mintPeer: () => Promise.resolve(null) })
    for (let nth = 0; nth < 3; nth += 1) equal(await copyOnce(host), 0)
    deepEqual([asked, heard], [[], ['derived_without_token']])
  })

  it('are copied by a replica alone, from a town that answers, for an archive that is known', async () => {
    for (const host of [
      open({}, { role: 'primary' }),
      open({}, { role: 'alone', topology: null }),
      open({}, { role: 'lost' }),
      open({ readStamp: () => Promise.resolve(null) }),
      open({ commit: () => null }),
    ])
      equal(await copyOnce(host), null)
    equal(await copyOnce(open({ peers: { records: () => seen(false) } })), 0)
    equal(await copyOnce(open({ peers: { records: () => new Map() } })), 0)
    deepEqual(asked, [])
  })

  const other = Buffer.from(mentions.bytes)
  other[2] = 0x58
  const html = Buffer.from('<html>sign in</html>')
  const hostile: ReadonlyArray<readonly [name: string, change: Partial<typeof answers>, reason: string]> = [
    ['bytes that were changed', { artifact: sendBytes(other) }, 'other_sha256'],
    [
      'another stamp',
      { artifact: sendBytes(mentions.bytes, { [derivedStampHeader]: 'b'.repeat(40) }) },
      'other_stamp',
    ],
    ['no stamp', { artifact: response => void response.end(mentions.bytes) }, 'other_stamp'],
    ['fewer bytes', { artifact: sendBytes(mentions.bytes.subarray(1)) }, 'other_length'],
    ['more bytes', { artifact: sendBytes(Buffer.concat([mentions.bytes, Buffer.from(' ')])) }, 'too_large'],
    [
      'a length beyond the offer',
      { artifact: sendBytes(mentions.bytes, { 'content-length': '100000000' }) },
      'unreachable',
    ],
    ['bytes without end', { artifact: pour }, 'too_large'],
    ['gzip', { artifact: sendBytes(gzipSync(mentions.bytes), { 'content-encoding': 'gzip' }) }, 'malformed'],
    ['a page', { artifact: sendBytes(html, { 'content-type': 'text/html' }) }, 'other_length'],
    ['a redirect', { artifact: sendStatus(302, { location: '/v1/api/x' }) }, '302'],
    ['a conflict', { artifact: sendStatus(409) }, '409'],
    ['an end in the middle', { artifact: cutOff }, 'unreachable'],
    ['a page as its list', { list: sendList(html.toString()) }, 'bad_list'],
    ['a list without end', { list: pour }, 'too_large'],
    ['a list that it refuses', { list: sendStatus(403) }, '403'],
  ]
  for (const [name, change, reason] of hostile)
    it(`stay as they are after ${name}, which is logged once`, async () => {
      answers = { ...answers, ...change }
      const host = open()
      for (let nth = 0; nth < 2; nth += 1) equal(await copyOnce(host), 1)
      equal(statusOf(host), 'absent')
      deepEqual(readArtifacts(folder.path), { artifacts: new Map(), damaged: [] })
      deepEqual(
        heard.filter(one => one.startsWith('derived_')),
        [`derived_uncopied ${reason}`],
      )
      answers = { list: sendList(), artifact: sendBytes() }
      await copyOnce(host)
      equal(statusOf(host), 'fresh', 'a good copy comes after it')
    })

  it('stay as they are after a drip, which ends with the host that waits', async () => {
    let dripping: () => void = nothing
    const began = new Promise<void>(resolve => {
      dripping = resolve
    })
    answers.artifact = response => {
      response.writeHead(200, { [derivedStampHeader]: archiveStamp })
      response.write(mentions.bytes.subarray(0, 1))
      dripping()
    }
    const host = open()
    await host.ports.stamp()
    const ending = new AbortController()
    const copy = host.ports.copy(ending.signal)
    await began
    ending.abort()
    equal(await copy, 1)
    equal(statusOf(host), 'absent')
  })

  describe('past slow towns', () => {
    let ending = new AbortController()
    const isRefused = (path = ''): boolean => path.startsWith('/Nighon/')
    /** Copies again and again: Nighon refuses, and a copy ends with the first other town. Returns who was asked. */
    const copyFiveTimes = async (answer: Answer): Promise<ReadonlyArray<string>> => {
      const names = ['Deyja', 'Bracada', 'Nighon']
      const towns = names.map(name => ({ name, url: `${base.replace('/v1/api', '')}/${name}` }))
      const records = new Map(
        names.flatMap(town => (deyja === undefined ? [] : [[town, { ...deyja, town, isReachable: true }]])),
      )
      const topology = topologyOf('Deyja', [...towns, { name: 'Avlee' }])
      const count = (): void => {
        if (!isRefused(asked.at(-1))) ending.abort()
      }
      const host = open({ peers: { records: () => records }, meter: { count } }, { topology })
      answers.list = answers.artifact = (response, request) =>
        (isRefused(request.url) ? sendStatus(409) : answer)(response, request)
      const seenTowns = new Array<string>()
      for (let turn = 0; turn < 5; turn += 1) {
        ending = new AbortController()
        asked = []
        await host.ports.stamp()
        await host.ports.copy(ending.signal)
        seenTowns.push(asked.map(one => one.split('/')[1]).join())
      }
      return seenTowns
    }
    const orders = ['Deyja', 'Bracada', 'Nighon,Deyja', 'Bracada', 'Nighon,Deyja']

    it('are copied: a town whose copy failed is asked after the others', async () => {
      const drip: Answer = response => {
        response.writeHead(200, { [derivedStampHeader]: archiveStamp })
        response.write(mentions.bytes.subarray(0, 1), () => ending.abort())
      }
      deepEqual(await copyFiveTimes(drip), orders)
    })

    it('are copied: a town that offered nothing is asked after the others', async () => {
      deepEqual(await copyFiveTimes(sendList(JSON.stringify({ items: [] }))), orders)
    })
  })

  it('fetch no list that offers nothing further', async () => {
    answers.list = sendList(listText({ stamp: 'b'.repeat(40) }))
    const host = open()
    equal(await copyOnce(host), 1)
    equal(asked.length, 1)
    deepEqual(heard, ['svc_outbound_requests_total peer,200'])
  })
})
