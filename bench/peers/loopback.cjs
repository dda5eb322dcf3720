// SPDX-License-Identifier: Apache-2.0
// Loaded before a program that listens on all interfaces: keeps every listener on loopback.
'use strict';
const { Server } = require('node:net');

const { listen } = Server.prototype;
Server.prototype.listen = function listenOnLoopback(first, ...rest) {
  if (first !== null && typeof first === 'object' && first.port !== undefined && !first.path) {
    return listen.call(this, { ...first, host: '127.0.0.1' }, ...rest);
  }
  if (/^\d+$/.test(String(first))) {
    const others = rest.filter((one) => typeof one === 'number' || typeof one === 'function');
    return listen.call(this, Number(first), '127.0.0.1', ...others);
  }
  return listen.call(this, first, ...rest);
};
