// A frame of a stranger beside the lab: says to the host what only the lab may say, and to the lab what only the host may.
{
  const shaped = (type, detail = {}) => ({ lab: 'inference-lab', v: 1, type, detail })
  const TO_HOST = [shaped('hello'), shaped('height', { height: 7 }), shaped('ready', { view: 'lab' }), shaped('run', { constants: {}, headlines: [], verdict: 'PASS', live: false }), shaped('error', { code: 'x', message: 'x' })]
  const TO_LAB = [shaped('hello'), shaped('set', { constants: { SLOTS: 7 } }), shaped('open', { block: 1 }), shaped('run')]
  addEventListener('message', ({ data }) => {
    if (data !== 'attack') return
    for (const one of TO_HOST) parent.postMessage(one, '*')
    for (const frame of [...Array(parent.length).keys()].map((i) => parent[i])) {
      if (frame !== window) for (const one of TO_LAB) frame.postMessage(one, '*')
    }
    parent.postMessage('attacked', '*')
  })
}
