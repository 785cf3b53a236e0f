/** Inputs and outputs published with RFC 8785 and with its author's test data. Holds no behaviour. */

/** Appendix B: a double by its bits, and its canonical text or `undefined` where it must be refused. */
export const numberVectors: readonly (readonly [bits: string, text: string | undefined])[] = [
  ['0000000000000000', '0'],
  ['8000000000000000', '0'],
  ['0000000000000001', '5e-324'],
  ['8000000000000001', '-5e-324'],
  ['7fefffffffffffff', '1.7976931348623157e+308'],
  ['ffefffffffffffff', '-1.7976931348623157e+308'],
  ['4340000000000000', '9007199254740992'],
  ['c340000000000000', '-9007199254740992'],
  ['4430000000000000', '295147905179352830000'],
  ['7fffffffffffffff', undefined],
  ['7ff0000000000000', undefined],
  ['44b52d02c7e14af5', '9.999999999999997e+22'],
  ['44b52d02c7e14af6', '1e+23'],
  ['44b52d02c7e14af7', '1.0000000000000001e+23'],
  ['444b1ae4d6e2ef4e', '999999999999999700000'],
  ['444b1ae4d6e2ef4f', '999999999999999900000'],
  ['444b1ae4d6e2ef50', '1e+21'],
  ['3eb0c6f7a0b5ed8c', '9.999999999999997e-7'],
  ['3eb0c6f7a0b5ed8d', '0.000001'],
  ['41b3de4355555553', '333333333.3333332'],
  ['41b3de4355555554', '333333333.33333325'],
  ['41b3de4355555555', '333333333.3333333'],
  ['41b3de4355555556', '333333333.3333334'],
  ['41b3de4355555557', '333333333.33333343'],
  ['becbf647612f3696', '-0.0000033333333333333333'],
  ['43143ff3c1cb0959', '1424953923781206.2'],
]

export interface TextVector {
  name: string
  input: string
  text: string
}

export const textVectors: readonly TextVector[] = [
  {
    name: 'section 3.2.2, literals, numbers and escapes',
    input: String.raw`{
      "numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
      "string": "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/",
      "literals": [null, true, false]
    }`,
    text: String.raw`{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\u000f\nA'B\"\\\\\"/"}`,
  },
  {
    name: 'section 3.2.3, sorting',
    input: String.raw`{
      "\u20ac": "Euro Sign",
      "\r": "Carriage Return",
      "\ufb33": "Hebrew Letter Dalet With Dagesh",
      "1": "One",
      "\ud83d\ude00": "Emoji: Grinning Face",
      "\u0080": "Control",
      "\u00f6": "Latin Small Letter O With Diaeresis"
    }`,
    text:
      '{"\\r":"Carriage Return","1":"One","\u0080":"Control","ö":"Latin Small Letter O With Diaeresis",' +
      '"€":"Euro Sign","\u{1f600}":"Emoji: Grinning Face","\ufb33":"Hebrew Letter Dalet With Dagesh"}',
  },
  {
    name: 'unicode, not normalised',
    input: String.raw`{"Unnormalized Unicode": "A\u030a"}`,
    text: '{"Unnormalized Unicode":"A\u030a"}',
  },
  {
    name: 'structures',
    input: String.raw`{
      "1": {"f": {"f": "hi", "F": 5}, "\n": 56.0},
      "10": {},
      "": "empty",
      "a": {},
      "111": [{"e": "yes", "E": "no"}],
      "A": {}
    }`,
    text: String.raw`{"":"empty","1":{"\n":56,"f":{"F":5,"f":"hi"}},"10":{},"111":[{"E":"no","e":"yes"}],"A":{},"a":{}}`,
  },
  {
    name: 'arrays',
    input: '[56, {"d": true, "10": null, "1": []}]',
    text: '[56,{"1":[],"10":null,"d":true}]',
  },
  {
    name: 'no locale',
    input: '{"peach": "first", "p\u00e9ch\u00e9": "second", "p\u00eache": "third", "sin": "fourth"}',
    text: '{"peach":"first","p\u00e9ch\u00e9":"second","p\u00eache":"third","sin":"fourth"}',
  },
  {
    name: 'characters that are written as they are',
    input: String.raw`{"\u0080": "Control\u007f", "</script>": "\u2028\u2029", "\ud83d\ude02": "\u00f6"}`,
    text: '{"</script>":"\u2028\u2029","\u0080":"Control\u007f","\u{1f602}":"\u00f6"}',
  },
]
