/** Owns the table of the routes of optional parts. */
import { defineStream } from './define.ts'

export const partRoutes = {
  installPart: defineStream(
    'post',
    '/v1/parts/{name}',
    'Installs an optional part of the product, and tells line by line how far it is.',
    'application/x-ndjson',
  ),
}
