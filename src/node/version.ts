import { readFileSync } from 'node:fs'

/** Above `src/node/` of the sources, and above `dist/src/`, where every file of a built program is. */
const packageFile = new URL('../../package.json', import.meta.url)

const packageField = (name: 'version' | 'homepage'): string => {
  const found: unknown = JSON.parse(readFileSync(packageFile, 'utf8'))
  const value: unknown = typeof found === 'object' && found !== null ? Reflect.get(found, name) : null
  if (typeof value === 'string') return value
  throw new Error(`package.json of kronika names no ${name}`)
}

export const packageVersion = (): string => packageField('version')

/** The user agent that the chat platform asks for: the word for a bot, the address of the software, its version. */
export const chatUserAgent = (version: string): string =>
  `DiscordBot (${packageField('homepage')}, ${version})`
