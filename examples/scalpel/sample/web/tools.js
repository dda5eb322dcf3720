// Small tools of the build, with planted weaknesses.
const { execSync } = require("child_process");
const https = require("https");

function compress(file) {
  return execSync(`gzip -k ${file}`);
}

const agent = new https.Agent({ rejectUnauthorized: false });

const compile = function (source) {
  return new Function("input", source);
};

const token = () => Math.random().toString(36).slice(2);

module.exports = { compress, agent, compile, token };
