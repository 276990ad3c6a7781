import { deepEqual, equal, ok } from 'node:assert/strict'
import { afterEach, beforeEach, describe, it } from 'mocha'
import type { Config } from '#protocol/host/config.js'
import { readConfig } from '#src/domain/config/read-config.js'
import { secretOf } from '#src/ports/identity.js'
import { claimBranch, type ForgeWorld, forgeWorld } from '#test/support/forge/forge-world.js'
import { forgeOf, type HostForge } from './view.js'

const never = new AbortController().signal

describe('the forge of a host', () => {
  let world: ForgeWorld
  let counts: ReadonlyArray<string> = []
  beforeEach(async () => {
    counts = []
    world = await forgeWorld()
  })
  afterEach(() => world.dispose())

  const open = (change: Partial<Config> = {}, token: string | null = world.double.token): HostForge => {
    const settings = {
      'integrations.forge.api_url': world.double.apiUrl,
      'integrations.forge.project': world.double.project,
    }
    return forgeOf({
      config: { ...readConfig(null).config, ...settings, ...change },
      secrets: { chatBotToken: null, forgeToken: token === null ? null : secretOf(token) },
      version: '0.0.0-test',
      meter: {
        count: (name, labels) => {
          counts = [...counts, `${name} ${Object.values(labels).join()}`]
        },
      },
      nowMs: Date.now,
    })
  }

  it('is called with its settings, and each call is counted by the status of its answer', async () => {
    const forge = open()
    ok(forge._tag === 'Forge')
    world.double.disturb({ on: 'read', do: 429 }, { on: 'read', do: 'hang_up' })
    const list = { _tag: 'ListRequests', sourceBranch: claimBranch } as const
    equal((await forge.call(list, 60_000, never)).outcome._tag, 'Requests')
    const read = { _tag: 'ReadRequest', iid: 1 } as const
    for (const tag of ['Limited', 'NoAnswer'])
      equal((await forge.call(read, 60_000, never)).outcome._tag, tag)
    deepEqual(counts, [
      'svc_outbound_requests_total forge,200',
      'svc_outbound_requests_total forge,429',
      'svc_outbound_rate_limited_total forge,user',
      'svc_outbound_requests_total forge,unreachable',
    ])
  })

  it('is absent, with the setting that is missing or unusable', () => {
    const absent = (why: string) => ({ _tag: 'NoForge', why })
    deepEqual(open({}, null), absent('token'))
    deepEqual(open({ 'integrations.forge.api_url': '' }), absent('api_url'))
    deepEqual(open({ 'integrations.forge.api_url': 'http://forge.example/api/v4' }), absent('api_url'))
    deepEqual(open({ 'integrations.forge.project': 'lore' }), absent('project'))
  })
})
