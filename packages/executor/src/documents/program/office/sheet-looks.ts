/** Reads what is said of how the cells of a workbook look: which are dates, and which show nothing. */
import { isBacked, type Look } from './looks.ts'
import { readXml } from './xml.ts'

export interface CellStyle {
  readonly isDate: boolean
  readonly look: Look
}

interface Format {
  readonly number: number
  readonly font: number
  readonly fill: number
}

export function readCellStyles(bytes: Uint8Array | undefined): (style: number) => CellStyle {
  const codes = new Map<number, string>()
  const fonts: Look[] = []
  const fills: boolean[] = []
  const formats: Format[] = []
  let list = ''
  readXml(bytes, {
    open({ name, attribute }) {
      const number = (wanted: string) => Number(attribute(wanted) ?? 0)
      if (/^(?:fonts|fills|cellXfs|cellStyleXfs|dxfs)$/.test(name)) list = name
      if (name === 'numFmt' && list !== 'dxfs') codes.set(number('numFmtId'), attribute('formatCode') ?? '')
      if (name === 'xf' && list === 'cellXfs')
        formats.push({ number: number('numFmtId'), font: number('fontId'), fill: number('fillId') })
      if (list === 'fonts') {
        if (name === 'font') fonts.push({})
        const at = fonts.length - 1
        if (name === 'sz' && at >= 0) fonts[at] = { ...fonts[at], points: number('val') }
        if (name === 'color' && at >= 0) fonts[at] = { ...fonts[at], color: colorOf(attribute) }
      }
      if (list === 'fills') {
        if (name === 'fill') fills.push(false)
        if (name === 'fgColor' || name === 'bgColor' || name === 'stop')
          fills[fills.length - 1] ||= isBacked(colorOf(attribute))
      }
      return undefined
    },
    close(name) {
      if (name === list) list = ''
    },
  })
  return (style) => {
    const { number, font, fill } = formats[style] ?? { number: 0, font: 0, fill: 0 }
    const code = codes.get(number)
    const isDate = code === undefined ? isDateNumber(number) : isDateFormat(code)
    return { isDate, look: { ...fonts[font], backed: fills[fill] ?? false, hidden: showsNothing(code) } }
  }
}

/** Without how transparent it is. The first colour of a theme is that of paper. */
function colorOf(attribute: (name: string) => string | undefined): string {
  if (attribute('theme') === '0' && attribute('tint') === undefined) return 'bg1'
  return attribute('rgb')?.slice(-6) ?? attribute('theme') ?? ''
}

/** All parts of it, for numbers above and below zero, for zero and for text, are empty. */
const showsNothing = (code: string | undefined) => code !== undefined && /^\s*;\s*;\s*;\s*$/.test(code)

const isDateNumber = (format: number) => (format >= 14 && format <= 22) || (format >= 45 && format <= 47)

/** Words in quotes, colours and what is escaped are not part of it. */
function isDateFormat(code: string): boolean {
  return /[ymdhs]/i.test(
    code
      .slice(0, 500)
      .replaceAll(/"[^"]*"|\[[^\]]*\]|\\.|_./g, '')
      .replaceAll(/general/gi, ''),
  )
}
