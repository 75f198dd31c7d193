from django import template

from lectorium.texts.local_text import local_text

register = template.Library()
register.filter("local", local_text)
