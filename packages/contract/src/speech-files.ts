/**
 * Owns what the optional part for speech on this machine consists of: every file by its SHA-256, as the gateway installs
 * it and the executor hands it to the program that listens.
 */

export const speechPartVersion = '1.13.8'

export interface SpeechFile {
  /** Within the part. */
  readonly path: string
  readonly sha256: string
  readonly bytes: number
}

/** A package of the npm registry that files of the part are taken from. None of its code is run while it is installed. */
export interface SpeechPackage {
  /** With its version. */
  readonly name: string
  readonly integrity: string
  readonly bytes: number
  /** By their path in the package. */
  readonly files: Readonly<Record<string, SpeechFile>>
}

const recognizer: SpeechPackage = {
  name: 'sherpa-onnx-node@1.13.8',
  integrity:
    'sha512-MsDMBdhLFTZ1GwvcGSSQhnS7g/EA8OMH6IYysCVUOM7j8Icty9KRc0E6YT1A5fWBsZwRfKOeh88QC95aRvS8ag==',
  bytes: 11_954,
  files: {
    'addon.js': {
      path: 'node_modules/sherpa-onnx-node/addon.js',
      sha256: 'ccdfdd81775611bb1b4de2f30fc22a987f9d6936b280c91b6a0c597e02f3c839',
      bytes: 2_760,
    },
    'addon-static-import.js': {
      path: 'node_modules/sherpa-onnx-node/addon-static-import.js',
      sha256: '4e1cdabab1dc22ecff6882ea642aba56c6e03c543dd366e684ae5b853dd5f1b6',
      bytes: 2_208,
    },
    'non-streaming-asr.js': {
      path: 'node_modules/sherpa-onnx-node/non-streaming-asr.js',
      sha256: '768f5afe411e1f960c0e5c59d6bec8120520461704f2786fb110667ed3eeefea',
      bytes: 4_509,
    },
  },
}

/** By processor: programs run in the sandbox, and the sandbox is on Linux. */
const engines: Readonly<Record<string, SpeechPackage>> = {
  x64: {
    name: 'sherpa-onnx-linux-x64@1.13.8',
    integrity:
      'sha512-6plnhjagsSeTntCgnlag86hWbs/uZE9Crms1LgOb68/1nKsIQjMd+WG519m+aPwT6TrsBOiEMzrx41t8sL5L5g==',
    bytes: 11_089_653,
    files: engineFiles('x64', {
      'sherpa-onnx.node': ['d8f1181559e7aecaa99493e8c441c16a4d51a18a1f3fcdf48fd7884e510f3767', 974_496],
      'libsherpa-onnx-c-api.so': [
        'b1019f8c9583e3e576c2ba6032b580677fcf6e2230c241a8b423c65aceded021',
        5_116_576,
      ],
      'libonnxruntime.so': ['4b3607aebd1784b26b6f9b20e4bd974c7ab8287043e4d095cb7d2cb40b5e566e', 27_026_609],
    }),
  },
  arm64: {
    name: 'sherpa-onnx-linux-arm64@1.13.8',
    integrity:
      'sha512-Tlg7a70b/Wge3OF8IgTHF9jhSVCsLyKQKhwc4BsJ5A+dL/SrFtGBjzuHp4XeLhiiOT7afCxX5PdSn/D4c8Lnuw==',
    bytes: 13_910_679,
    files: engineFiles('arm64', {
      'sherpa-onnx.node': ['ae1459b87db45cdc756b45e1cb495466225f62d2dd63eb35bf225196bf20900a', 804_112],
      'libsherpa-onnx-c-api.so': [
        'd1b41ded09e00017b37375584792cf697dad8bf35ccd787706acdbc4c7afc912',
        4_613_032,
      ],
      'libonnxruntime.so': ['cfc800d4438f15e8d9017521326776ca7117d8783cb847ccccc2fc61ac4d540f', 34_606_912],
    }),
  },
}

/** The words of the model are a text inside the package's program; they are read and the program is not kept. */
export const speechWordsIn = 'dist/moonshine.min.js'

export const speechWords: SpeechFile = {
  path: 'model/tokens.txt',
  sha256: 'f5fd807e6f8dca3d6a958df30b899be93728b18b959f1c9138bf9ca0522a5c33',
  bytes: 540_538,
}

export const speechWeights: SpeechPackage = {
  name: '@moonshine-ai/moonshine-js@0.1.29',
  integrity:
    'sha512-Gx1B3mJcbM68ihSy/LyJEuEkGq7sYMqTb04zNdcIeidU0URVlSmXP0GyiQOTTAqDZQXlIC7k+bky+FdXk0UPlg==',
  bytes: 21_514_347,
  files: {
    'dist/model/tiny/quantized/encoder_model.onnx': {
      path: 'model/encoder_model.onnx',
      sha256: 'c6fc4b7bc5af75c0591fd157a1f3829b533d18e9769a888fd95a62e470dd4f4a',
      bytes: 7_937_661,
    },
    'dist/model/tiny/quantized/decoder_model_merged.onnx': {
      path: 'model/decoder_model_merged.onnx',
      sha256: 'eed87831c3a6103534aae7d47a5d485025c659a1323901513961c39fe8a1a367',
      bytes: 20_243_286,
    },
    LICENSE: {
      path: 'model/LICENSE',
      sha256: '37fc5d9a86547a0dd64a07cff439ba2a6b79cc8f6555a05121fed32866591159',
      bytes: 13_358,
    },
  },
}

/** The packages besides that of the weights; nothing where there is no engine for this machine. */
export function speechEngine(platform: string, processor: string): readonly SpeechPackage[] | undefined {
  const engine = platform === 'linux' ? engines[processor] : undefined
  return engine && [recognizer, engine]
}

function engineFiles(
  processor: string,
  files: Readonly<Record<string, readonly [sha256: string, bytes: number]>>,
): Readonly<Record<string, SpeechFile>> {
  return Object.fromEntries(
    Object.entries(files).map(([name, [sha256, bytes]]) => [
      name,
      { path: `node_modules/sherpa-onnx-linux-${processor}/${name}`, sha256, bytes },
    ]),
  )
}

/** What is wrong with an installed part. */
export interface SpeechPartProblem {
  readonly what: string
  readonly next: string
}
