/** Owns what another app shared with this one: the worker kept it (public/sw.js), and it is taken once. */

const kept = 'countersign-shared'

/** Null where it is not there any more, or was no share at all. */
export async function takeShared(
  caches: Pick<CacheStorage, 'open' | 'delete'>,
  id: string,
): Promise<FormData | null> {
  const found = await (await caches.open(kept)).match(`/share/${encodeURIComponent(id)}`)
  await caches.delete(kept)
  if (found === undefined) return null
  try {
    return await found.formData()
  } catch (error) {
    // What cannot be read as a form was not made by a browser that shares.
    if (error instanceof TypeError) return null
    throw error
  }
}
