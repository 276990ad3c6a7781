import { equal, match, ok } from 'node:assert/strict'
import { afterEach, beforeEach, describe, it } from 'mocha'
import { referenceFiles } from '#src/reference/page-files.js'
import { nodeView, type TestFront, testFront, testMachineToken } from '#test/support/front.js'
import { askTarget, type Reply } from '#test/support/http-client.js'

const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'

const isPage = (reply: Reply, status: number): void => {
  equal(reply.status, status, reply.text.slice(0, 200))
  equal(reply.headers['content-type'], 'text/html; charset=utf-8')
  equal(
    reply.headers['content-security-policy'],
    "default-src 'none'; style-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
  )
  equal(reply.headers['x-content-type-options'], 'nosniff')
  match(reply.text, /^<!doctype html>\n/)
  ok(!/<script|\son[a-z]+=|javascript:|style=/i.test(reply.text), 'a page without scripts and inline styles')
}

const isJson = (reply: Reply): void => {
  match(String(reply.headers['content-type']), /^application\/json/)
}

describe('the pages of the operations listener', () => {
  let front: TestFront
  beforeEach(async () => {
    front = await testFront()
  })
  afterEach(() => front.close())

  const ask = (path: string, accept: string | null, more: Readonly<Record<string, string>> = {}) =>
    askTarget(front.front.opsPort, path, {
      headers: { ...(accept === null ? {} : { Accept: accept }), ...more },
    })

  it('show the host at / to a browser', async () => {
    const reply = await ask('/', browser)
    isPage(reply, 200)
    ok(reply.text.includes('The host serves the lore.'))
    ok(reply.text.includes('href="/reference/"'))
    front.serve(null)
    ok((await ask('/', browser)).text.includes('The host is reading the lore'))
  })

  it('leave every other caller the JSON of before', async () => {
    for (const path of ['/', '/nic', '/reference/', '/reference/routes.html'])
      for (const accept of [null, '*/*', 'application/json', 'text/*', 'text/html;q=0']) {
        const reply = await ask(path, accept)
        equal(reply.status, 401, `${path} ${accept ?? ''}`)
        isJson(reply)
      }
    const known = await askTarget(front.front.opsPort, '/', { token: testMachineToken })
    equal(known.status, 404)
    ok(known.text.includes('RouteNotFound'), known.text)
  })

  it('never stand in for the API, the probes or another method', async () => {
    for (const path of ['/v1/api', '/v1/api/', '/v1/api/health', '/v1/api/nic', '/livez', '/readyz'])
      isJson(await ask(path, browser))
    equal(
      (await ask('/metrics', browser)).headers['content-type'],
      'text/plain; version=0.0.4; charset=utf-8',
    )
    const post = await askTarget(front.front.opsPort, '/', { method: 'POST', headers: { Accept: browser } })
    isJson(post)
    isJson(await askTarget(front.front.apiPort, '/', { headers: { Accept: browser } }))
  })

  it('serve the reference, each file as what it is', async () => {
    for (const [name, type] of Object.entries(referenceFiles)) {
      const reply = await ask(`/reference/${name}`, name.endsWith('.css') ? 'text/css,*/*;q=0.1' : browser)
      equal(reply.status, 200, name)
      equal(reply.headers['content-type'], type)
    }
    for (const path of ['/reference', '/reference/']) isPage(await ask(path, browser), 200)
  })

  it('have links that lead to something, within the host', async () => {
    const pages = Object.keys(referenceFiles).filter(name => name.endsWith('.html'))
    for (const page of ['/', ...pages.map(name => `/reference/${name}`)]) {
      const { text } = await ask(page, browser)
      for (const [, href = ''] of text.matchAll(/href="([^"]*)"/g)) {
        const [path = '', anchor] = href.split('#')
        const target = path === '' ? page : new URL(path, `http://host${page}`).pathname
        const reply = await ask(target, target.endsWith('.css') ? 'text/css' : browser)
        equal(reply.status, 200, `${page} → ${href}`)
        if (anchor !== undefined) ok(reply.text.includes(`id="${anchor}"`), `${page} → ${href}`)
      }
    }
  }).timeout(60_000)

  it('answer 404 for an unknown path, without any part of it', async () => {
    const texts = new Set<string>()
    for (const path of [
      '/nic',
      '/reference/nic.html',
      '/reference/../../package.json',
      '/reference/..%2f..%2fpackage.json',
      '/reference/constructor',
      '/reference/__proto__',
      '/<script>alert(1)</script>',
      `/"onmouseover='x'&lt;`,
      `/${'a'.repeat(4000)}<b>`,
      '/%3Cscript%3E',
      '/named_0a1b2c3d.tajemnica',
      '/a/Bearer%20named_0a1b2c3d.tajemnica',
      '/a/%6eamed_0a1b2c3d.tajemnica',
      '/webhooks/12/tajemnica',
      `/${testMachineToken}`,
      '/a?token=tajemnica',
    ]) {
      const reply = await ask(path, browser)
      isPage(reply, 404)
      ok(reply.text.includes('Nothing is served at this path.'), path)
      texts.add(reply.text)
    }
    equal(texts.size, 1, 'every path has the same page')
  })

  it('refuse a hostile Host with JSON, before any page', async () => {
    for (const host of ['<script>alert(1)</script>', 'zły.example', '127.0.0.1"><b>', 'obcy.example']) {
      const reply = await ask('/', browser, { Host: Buffer.from(host).toString('latin1') })
      ok([400, 421].includes(reply.status), host)
      isJson(reply)
      ok(!reply.text.includes('<'), reply.text)
    }
  })

  it('answer HEAD with the head alone', async () => {
    const reply = await askTarget(front.front.opsPort, '/', { method: 'HEAD', headers: { Accept: browser } })
    equal(reply.status, 200)
    equal(reply.bytes.length, 0)
    ok(Number(reply.headers['content-length']) > 100)
  })
})

describe('the page of a host in trouble', () => {
  it('escapes what it shows', async () => {
    const node = nodeView({ version: '<img src=x>', isGone: () => true })
    const front = await testFront({ node })
    try {
      const reply = await askTarget(front.front.opsPort, '/', { headers: { Accept: browser } })
      isPage(reply, 200)
      ok(reply.text.includes('&lt;img src=x&gt;'))
      ok(reply.text.includes('The repository was moved'))
    } finally {
      await front.close()
    }
  })
})
