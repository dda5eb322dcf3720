"""The site itself, with planted weaknesses."""
import requests
from flask import Flask, request

app = Flask(__name__)


@app.route("/price")
def price():
    item = request.args["item"]
    answer = requests.get("https://prices.example.org/" + item, verify=False)
    return answer.json()


@app.route("/orders")
def orders():
    customer = request.args["customer"]
    return app.database.execute(f"SELECT * FROM orders WHERE customer = {customer}").fetchall()


if __name__ == "__main__":
    app.run(host="127.0.0.1", debug=True)
