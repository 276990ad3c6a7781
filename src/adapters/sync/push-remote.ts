/** Settings of the remote that a push keeps; above all not `fetch`, by which git would move `refs/remotes/`. */
const kept = ['receivepack', 'proxy', 'proxyauthmethod'] as const

/** Arguments by which git prints those of them that are set, NUL apart. */
export const keptSettings = (remote: string): ReadonlyArray<string> => [
  'config',
  '-z',
  '--get-regexp',
  `^remote\\.${remote.replaceAll('.', '\\.')}\\.(${kept.join('|')})$`,
]

/** The remote that a push goes to, which stands in no file. */
export const pushRemote = 'kronika-push'

/**
 * The environment in which `pushRemote` is the address, with the settings that git printed. A push to it touches no ref
 * here: a lock on a person's ref that a kill leaves would stay for ever. The address is on no command line.
 */
export const pushEnvironment = (address: string, printed: string): Record<string, string> => {
  const settings = printed
    .split('\0')
    .filter(one => one.includes('\n'))
    .map(one => {
      const end = one.indexOf('\n')
      const key = one.slice(0, end)
      return [key.slice(key.lastIndexOf('.') + 1), one.slice(end + 1)] as const
    })
  const all = [['url', address] as const, ...settings]
  const named = all.flatMap(
    ([key, value], at): ReadonlyArray<readonly [string, string]> => [
      [`GIT_CONFIG_KEY_${at}`, `remote.${pushRemote}.${key}`],
      [`GIT_CONFIG_VALUE_${at}`, value],
    ],
  )
  return { GIT_CONFIG_COUNT: String(all.length), ...Object.fromEntries(named) }
}
