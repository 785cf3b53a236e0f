/**
 * Owns the configuration that a program sees: handles of the keys that are kept, never values, and nothing for one that
 * is not. A handle becomes its value in the executor, on the way out, after the call that carries it was decided on.
 * Runs inside the machine as source text.
 */
import type { Host, PreludeSetup } from './globals.ts'

export function keys(_host: Host, setup: PreludeSetup): object {
  const kept = new Set(setup.keys)
  const handleOf = (secret: string) => (kept.has(secret) ? `{{secret:${secret}}}` : undefined)
  const named = (name: unknown, label?: string | null) =>
    label === undefined || label === null ? String(name) : `${String(name)}-${label}`
  const getApiKey = (name: unknown) => handleOf(String(name))
  const getFieldValue = (name: unknown, field: unknown = 'api_key', label?: string | null) =>
    ['api_key', 'apiKey', 'key'].includes(String(field))
      ? handleOf(named(name, label))
      : handleOf(`${named(name, label)}.${String(field).toLowerCase()}`)
  const fieldsOf = (secret: string) =>
    setup.keys.filter((each) => each.startsWith(`${secret}.`)).map((each) => each.slice(secret.length + 1))
  const getConfigEntry = (name: unknown, label?: string | null) => {
    const secret = named(name, label)
    const fields = fieldsOf(secret)
    if (!kept.has(secret) && fields.length === 0) return undefined
    return {
      name: String(name),
      label: label ?? null,
      apiKey: handleOf(secret),
      ...(fields.length === 0
        ? {}
        : { fields: Object.fromEntries(fields.map((field) => [field, handleOf(`${secret}.${field}`)])) }),
    }
  }
  /** `mail`, `mail-work` and `mail.password` are of the service mail. */
  const labelsOf = (name: string) => [
    ...new Set(
      setup.keys.flatMap((each) => {
        const secret = each.split('.', 1)[0] ?? ''
        if (secret === name) return [null]
        return secret.startsWith(`${name}-`) ? [secret.slice(name.length + 1)] : []
      }),
    ),
  ]
  return {
    getApiKey,
    getFieldValue,
    getConfigEntry,
    getConfigEntries: (name: unknown) =>
      labelsOf(String(name)).flatMap((label) => getConfigEntry(name, label) ?? []),
    getServiceConfig: (name: unknown) => {
      const entry = getConfigEntry(name)
      return entry && { name: entry.name, apiKey: entry.apiKey }
    },
  }
}
