import { Snowflake } from '#protocol/atoms.js'
import type { Config } from '#protocol/config.js'
import type { Finding } from '#src/domain/lore/finding.js'
import { safeBase } from '#src/domain/outbound/safe-address.js'
import type { ConfigFile } from './parse-config.js'
import { invalidKeyFinding, type ReadConfig } from './read-config.js'

const apiKey = 'integrations.chat.api_url'
const guildKey = 'integrations.chat.guild_id'

const apiFinding = (file: ConfigFile, config: Config): ReadonlyArray<Finding> => {
  const api = config[apiKey]
  if (api === '' || safeBase(api) !== null) return []
  const wish =
    'is no https address to which a path can be appended; this host does not call the chat platform.'
  return [invalidKeyFinding(file, apiKey, wish, `Set ${apiKey} to an https address, or remove it.`)]
}

const guildFinding = (file: ConfigFile, config: Config): ReadonlyArray<Finding> => {
  const guild = config[guildKey]
  if (guild === '' || Snowflake.is(guild)) return []
  const wish = 'is no id of the chat platform; this host finds no channel and no role of the guild.'
  return [
    invalidKeyFinding(file, guildKey, wish, `Set ${guildKey} to the digits of the guild's id, or remove it.`),
  ]
}

/**
 * Adds a finding for an address of the chat platform and for a guild that the host cannot use. Both are optional,
 * so an empty text has none. The values stay: each part that uses one checks it again.
 */
export const reportChatAddresses = (file: ConfigFile, { config, findings }: ReadConfig): ReadConfig => ({
  config,
  findings: [...findings, ...apiFinding(file, config), ...guildFinding(file, config)],
})
