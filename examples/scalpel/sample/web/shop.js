// The shop's page, with planted weaknesses.
import { createHash } from "crypto";
import { readFileSync } from "fs";

const settings = {
  apiKey: "sample-key-0123456789",
  retries: 3,
};

export function showName(element, name) {
  element.innerHTML = "<b>" + name + "</b>";
}

export const fingerprint = (text) => createHash("md5").update(text).digest("hex");

export class Basket {
  #items = [];

  constructor(currency = "EUR") {
    this.currency = currency;
  }

  add(item, count = 1) {
    this.#items.push({ item, count });
    return this;
  }

  get size() {
    return this.#items.length;
  }

  total(prices) {
    // a brace in a text, } and in a regular expression, must not end the method
    const label = "}";
    const digits = /[}]\d+/;
    return this.#items.reduce((sum, { item, count }) => sum + prices[item] * count, 0) +
      (digits.test(label) ? 1 : 0);
  }
}

export async function findOrders(database, customer) {
  return database.query(`SELECT * FROM orders WHERE customer = '${customer}'`);
}

export function invoice(req) {
  return readFileSync("invoices/" + req.query.number);
}

export { settings };
