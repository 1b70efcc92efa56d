// The frames of the engine's protocol (app/service/protocol.h) in JavaScript: a length of four bytes,
// and one CBOR item (RFC 8949) of the kinds that JSON has.
'use strict';

const lanewiseFrames = (() => {
  const text = new TextEncoder(), words = new TextDecoder();

  function encode(message) {
    const out = [0, 0, 0, 0];
    item(out, message);
    const frame = Uint8Array.from(out);
    new DataView(frame.buffer).setUint32(0, frame.length - 4, true);
    return frame;
  }

  function head(out, major, count) {
    const kind = major << 5;
    if (count < 24) out.push(kind | count);
    else if (count < 0x100) out.push(kind | 24, count);
    else if (count < 0x10000) out.push(kind | 25, count >> 8, count & 255);
    else if (count < 0x100000000) number(out, kind | 26, 4, (view) => view.setUint32(0, count));
    else number(out, kind | 27, 8, (view) => view.setBigUint64(0, BigInt(count)));
  }
  function number(out, kind, bytes, write) {
    const view = new DataView(new ArrayBuffer(bytes));
    write(view);
    out.push(kind, ...new Uint8Array(view.buffer));
  }
  function bytesOf(out, major, bytes) {
    head(out, major, bytes.length);
    for (const byte of bytes) out.push(byte);
  }

  function item(out, value) {
    if (value === null || value === undefined) out.push(0xf6);
    else if (typeof value === 'boolean') out.push(value ? 0xf5 : 0xf4);
    else if (typeof value === 'string') bytesOf(out, 3, text.encode(value));
    else if (Number.isSafeInteger(value)) value < 0 ? head(out, 1, -1 - value) : head(out, 0, value);
    else if (typeof value === 'number') number(out, 0xfb, 8, (view) => view.setFloat64(0, value));
    else if (Array.isArray(value)) {
      head(out, 4, value.length);
      for (const each of value) item(out, each);
    } else {
      const fields = Object.entries(value).filter(([, each]) => each !== undefined);
      head(out, 5, fields.length);
      for (const [name, each] of fields) {
        item(out, name);
        item(out, each);
      }
    }
  }

  // Numbers beyond 2^53, which addresses are not and counts hardly, lose their last digits.
  function decode(frame) {
    const view = new DataView(frame.buffer, frame.byteOffset, frame.byteLength);
    let at = 4;
    const count = (extra) => {
      if (extra < 24) return extra;
      const bytes = 1 << (extra - 24), from = at;
      at += bytes;
      if (bytes === 1) return view.getUint8(from);
      if (bytes === 2) return view.getUint16(from);
      if (bytes === 4) return view.getUint32(from);
      return Number(view.getBigUint64(from));
    };
    const slice = (length) => frame.subarray(at, (at += length));
    const half = (bits) => {
      const exponent = (bits >> 10) & 31, mantissa = bits & 1023;
      const magnitude = exponent === 0 ? mantissa * 2 ** -24
                        : exponent < 31 ? (1024 + mantissa) * 2 ** (exponent - 25)
                        : mantissa ? NaN : Infinity;
      return bits & 0x8000 ? -magnitude : magnitude;
    };
    const other = (extra) => {
      if (extra === 20 || extra === 21) return extra === 21;
      const from = at;
      if (extra === 25) return (at += 2), half(view.getUint16(from));
      if (extra === 26) return (at += 4), view.getFloat32(from);
      if (extra === 27) return (at += 8), view.getFloat64(from);
      return null;
    };
    const next = () => {
      const first = view.getUint8(at++), major = first >> 5, extra = first & 31;
      if (major === 7) return other(extra);
      const size = count(extra);
      if (major === 0) return size;
      if (major === 1) return -1 - size;
      if (major === 2) return slice(size);
      if (major === 3) return words.decode(slice(size));
      if (major === 4) return Array.from({length: size}, next);
      const fields = {};
      for (let i = 0; i < size; ++i) {
        const name = next();
        fields[name] = next();
      }
      return fields;
    };
    return next();
  }

  return {encode, decode};
})();

if (typeof module !== 'undefined') module.exports = lanewiseFrames;
