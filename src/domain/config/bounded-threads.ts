import { type ConfigFile, invalidKeyFinding, type ReadConfig } from './read-config.js'

const key = 'server.reader_threads'

/**
 * Limits the reader threads to the processors of this host, because further ones only take memory. Adds a
 * finding when it does.
 */
export const boundThreads = (file: ConfigFile, read: ReadConfig, processors: number): ReadConfig => {
  const wanted = read.config[key]
  if (wanted <= processors) return read
  const finding = invalidKeyFinding(
    file,
    key,
    `is ${wanted}, and this host has ${processors} processors; it uses ${processors} threads.`,
    `Set ${key} to ${processors} or less.`,
  )
  return { config: { ...read.config, [key]: processors }, findings: [...read.findings, finding] }
}
