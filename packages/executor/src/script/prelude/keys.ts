/**
 * Owns the configuration that a program sees: handles, never values. A handle becomes its value in the executor, on
 * the way out, after the call that carries it was decided on. Runs inside the machine as source text.
 */
export function keys(): object {
  const shape = /^(?=.{1,64}$)[a-z][a-z0-9_-]*(?:\.[a-z][a-z0-9_-]*)?$/
  const handleOf = (secret: string) => (shape.test(secret) ? `{{secret:${secret}}}` : undefined)
  const named = (name: unknown, label?: string | null) =>
    label === undefined || label === null ? String(name) : `${String(name)}-${label}`
  const getApiKey = (name: unknown) => handleOf(String(name))
  const getFieldValue = (name: unknown, field: unknown = 'api_key', label?: string | null) =>
    ['api_key', 'apiKey', 'key'].includes(String(field))
      ? handleOf(named(name, label))
      : handleOf(`${named(name, label)}.${String(field).toLowerCase()}`)
  const getConfigEntry = (name: unknown, label?: string | null) => ({
    name: String(name),
    label: label ?? null,
    apiKey: getFieldValue(name, 'api_key', label),
  })
  return {
    getApiKey,
    getFieldValue,
    getConfigEntry,
    getConfigEntries: (name: unknown) => [getConfigEntry(name)],
    getServiceConfig: (name: unknown) => ({ name: String(name), apiKey: getApiKey(name) }),
  }
}
