/** The program for pictures. Looks at the head of a picture before it decodes any of it, and knows only common forms. */
import sharp, { type Sharp } from 'sharp'
import { type Made, Refusal, serve } from './serve.ts'

type Request = Resize | Redraw

interface Redraw {
  readonly op: 'redraw'
  readonly most: number
  readonly format: 'jpeg' | 'png' | 'webp'
}

interface Resize {
  readonly op: 'resize'
  readonly width: number
  readonly height: number
  readonly fit: 'cover' | 'contain' | 'fill' | 'inside' | 'outside'
  readonly format: 'jpeg' | 'png' | 'webp' | 'gif' | 'tiff' | 'avif'
  readonly quality: number
}

const mostPixels = 50_000_000
const forms = ['jpeg', 'png', 'webp', 'gif', 'tiff', 'heif']

// What draws from a description, as SVG and PDF do, reads other files and takes any time; it is not opened at all.
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({
  operation: [
    'VipsForeignLoadJpegBuffer',
    'VipsForeignLoadPngBuffer',
    'VipsForeignLoadWebpBuffer',
    'VipsForeignLoadNsgifBuffer',
    'VipsForeignLoadTiffBuffer',
    'VipsForeignLoadHeifBuffer',
  ],
})
sharp.concurrency(1)
sharp.cache(false)

await serve<Request>(async (request, bytes): Promise<Made> => {
  const picture = sharp(bytes, { limitInputPixels: mostPixels, failOn: 'error', pages: 1 })
  const head = await picture.metadata().catch((error: unknown) => {
    throw new Refusal(`It is no picture that can be opened here, or damaged: ${textOf(error)}`)
  })
  if (!forms.includes(head.format ?? ''))
    throw new Refusal('Only JPEG, PNG, WebP, GIF, TIFF and AVIF are opened.')
  if ((head.width ?? 0) * (head.height ?? 0) > mostPixels)
    throw new Refusal(`It has more than ${mostPixels / 1_000_000} million pixels.`)
  const drawn = await shaped(picture.autoOrient(), request)
    .toBuffer({ resolveWithObject: true })
    .catch((error: unknown) => {
      throw new Refusal(`It is damaged: ${textOf(error)}`)
    })
  const { width: wide, height: high } = drawn.info
  const from = { format: head.format ?? '', width: head.autoOrient.width, height: head.autoOrient.height }
  return { facts: { from, width: wide, height: high }, files: [drawn.data] }
})

function shaped(picture: Sharp, request: Request): Sharp {
  if (request.op === 'redraw') {
    const { most, format } = request
    const fitting = picture.resize({ width: most, height: most, fit: 'inside', withoutEnlargement: true })
    // A form without transparency shows black where nothing is.
    return format === 'jpeg'
      ? fitting.flatten({ background: '#ffffff' }).toFormat('jpeg', { quality: 85 })
      : fitting.toFormat(format)
  }
  const { width, height, fit, format, quality } = request
  return picture.resize({ width, height, fit }).toFormat(format, { quality })
}

function textOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).slice(0, 200)
}
