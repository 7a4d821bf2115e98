"""Records: redis-om JsonModels, without vectors. They are the truth; search rows are made from them."""
