import { deepEqual, equal, match } from 'node:assert/strict'
import { describe, it } from 'mocha'
import { configKeys } from '#protocol/host/config.js'
import { sourceFile } from '#test/support/world.js'
import { readConfig } from './read-config.js'

const read = (text: string) => readConfig(sourceFile('.svc/config.json', text))

describe('the configuration', () => {
  it('has every default where there is no file', () => {
    const { config, findings } = readConfig(null)
    deepEqual(findings, [])
    for (const [name, row] of Object.entries(configKeys))
      deepEqual(Reflect.get(config, name), row.fallback, name)
  })

  it('merges key by key: an omitted neighbour keeps its default', () => {
    const { config } = read(
      '{"server": {"port": 8123}, "integrations": {"chat": {"dispatch": {"window_ms": 4000}}}}',
    )
    equal(config['server.port'], 8123)
    equal(config['server.sync_max_age_min'], 60)
    equal(config['integrations.chat.dispatch.window_ms'], 4000)
    equal(config['integrations.chat.dispatch.near_deadline_ms'], 3000)
  })

  it('keeps an unknown key unread and says nothing of it', () => {
    deepEqual(read('{"server": {"colour": "red"}, "other": 1}').findings, [])
  })

  for (const [name, text] of [
    ['server.port', '{"server": {"port": "8123"}}'],
    ['server.port', '{"server": {"port": 70000}}'],
    ['server.read_only', '{"server": {"read_only": 1}}'],
    ['server.time_zone', '{"server": {"time_zone": "Mars/Olympus"}}'],
    ['server.publish_mode', '{"server": {"publish_mode": "force"}}'],
    ['server.sync_interval_min', '{"server": {"sync_interval_min": 0.001}}'],
    ['content_gate.binary_share', '{"content_gate": {"binary_share": 2}}'],
    ['integrations.logs.hosts', '{"integrations": {"logs": {"hosts": "example.org"}}}'],
  ] as const) {
    it(`takes the default of ${name} for ${text} and finds it`, () => {
      const { config, findings } = read(text)
      deepEqual(config[name], configKeys[name].fallback)
      equal(findings.length, 1)
      equal(findings[0]?.subject, name)
    })
  }

  for (const minutes of [0, 0.25, 5])
    it(`takes ${minutes} minutes between two converges`, () => {
      const { config, findings } = read(JSON.stringify({ server: { sync_interval_min: minutes } }))
      deepEqual([config['server.sync_interval_min'], findings], [minutes, []])
    })

  for (const text of ['', '{', '[]', '"x"', 'null', '{"server": 5}']) {
    it(`survives ${JSON.stringify(text)}`, () => {
      equal(read(text).config['server.port'], 0)
    })
  }

  it('does not take a value from the prototype', () => {
    equal(read('{"constructor": {}, "__proto__": {"server": {"port": 1}}}').config['server.port'], 0)
  })

  it('names the key, its place and what it wants', () => {
    const [finding] = read('{"server":\n {"port": -1}}').findings
    equal(finding?.line, 2)
    match(finding.reason, /server\.port at line 2, column 11 must be a port from 0 to 65535/)
  })
})
