/**
 * Credentials of the legacy layout (D36): URLs with write access, and raw keys. They are never copied into an
 * adopted file or a finding. The pattern accepts any host, because only the path of a webhook is fixed.
 */
const webhookPattern = /https?:\/\/[^\s/)\]>"']{1,200}\/api\/webhooks\/[^\s)\]>"']*/giu

/** Whether a value is a hashed key as the contributor store holds it. */
export const isHashedKey = (value: string): boolean => /^sha256:[0-9a-f]{64}$/u.test(value)

/** Whether the text is nothing but a webhook address. */
export const isWebhook = (value: string): boolean =>
  /^https:\/\/[^\s/]{1,200}\/api\/webhooks\/\S+$/iu.test(value.trim())

export const holdsWebhook = (text: string): boolean => text.search(webhookPattern) >= 0

export const redactWebhooks = (text: string): string => text.replace(webhookPattern, '[webhook]')

/** The advice in findings about a credential that was in the clear. */
export const revoke = 'Revoke it, because everybody with a copy of the repository can use it.'
