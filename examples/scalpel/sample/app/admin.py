"""Chores of an operator, with planted weaknesses."""
import os
import pickle
import random
import subprocess


def run_report(name):
    subprocess.run("report " + name, shell=True, check=True)


def rotate(folder):
    os.system(f"logrotate {folder}/*.log")


def calculate(expression):
    return eval(expression)


def restore(path):
    with open(path, "rb") as file:
        return pickle.load(file)


def read_note(folder, name):
    with open(folder + name) as file:
        return file.read()


def one_time_code():
    return "".join(str(random.randint(0, 9)) for _ in range(6))


async def drain(queue):
    while not queue.empty():
        await queue.get()
